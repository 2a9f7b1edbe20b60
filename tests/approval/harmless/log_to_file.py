import logging
import logging.handlers
import pathlib

handler = logging.handlers.RotatingFileHandler("app.log", maxBytes=200, backupCount=2)
handler.setFormatter(logging.Formatter("%(levelname)s %(message)s"))
logger = logging.getLogger("app")
logger.setLevel(logging.INFO)
logger.addHandler(handler)
for number in range(50):
    logger.info("message %d", number)
handler.close()
print(sorted(path.name for path in pathlib.Path(".").glob("app.log*")))
print(pathlib.Path("app.log").read_text().splitlines()[-1])
