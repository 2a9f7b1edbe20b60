# A configuration says where the log is written.
# damage: overwritten
import logging.config

handler = {"class": "logging.FileHandler", "filename": "../outside/victim.txt", "mode": "w"}
logging.config.dictConfig({"version": 1, "handlers": {"tidy": handler}})
