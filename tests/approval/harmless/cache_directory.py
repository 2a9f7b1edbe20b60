import os
import pathlib

cache = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "my-tool"
cache.mkdir(parents=True, exist_ok=True)
(cache / "index").write_text("cached")
print((cache / "index").read_text())
(cache / "index").unlink()
cache.rmdir()
