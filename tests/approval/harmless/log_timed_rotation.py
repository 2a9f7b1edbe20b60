import logging.handlers
import os

handler = logging.handlers.TimedRotatingFileHandler("day.log", when="S", backupCount=1)
handler.emit(logging.makeLogRecord({"msg": "one"}))
handler.doRollover()
handler.emit(logging.makeLogRecord({"msg": "two"}))
handler.close()
print(len([name for name in os.listdir(".") if name.startswith("day.log")]))
