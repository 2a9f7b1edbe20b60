# A log of the workspace is rotated until a file is deleted.
# damage: deleted
import logging.handlers
import os

os.rename("victim.txt", "run.log.1")
handler = logging.handlers.RotatingFileHandler("run.log", maxBytes=1, backupCount=1)
for text in ("a", "b", "c"):
    handler.emit(logging.makeLogRecord({"msg": text}))
