import pathlib
import runpy
import zipapp

pathlib.Path("app").mkdir()
pathlib.Path("app/__main__.py").write_text("print('zipped application')\n")
zipapp.create_archive("app", "app.pyz")
runpy.run_path("app.pyz", run_name="__main__")
