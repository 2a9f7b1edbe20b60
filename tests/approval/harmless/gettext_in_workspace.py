import gettext
import pathlib

pathlib.Path("locale").mkdir()
translation = gettext.translation("app", "locale", fallback=True)
print(translation.gettext("hello"), gettext.find("app", "locale"))
