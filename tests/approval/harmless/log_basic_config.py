import logging
import logging.config
import sys

logging.config.dictConfig({
    "version": 1,
    "formatters": {"f": {"format": "%(name)s:%(message)s"}},
    "handlers": {"h": {"class": "logging.StreamHandler", "stream": sys.stdout, "formatter": "f"}},
    "root": {"handlers": ["h"], "level": "DEBUG"},
})
logging.getLogger("part").warning("removing %s", "nothing")
try:
    1 / 0
except ZeroDivisionError as error:
    logging.error("failed: %s", error)
