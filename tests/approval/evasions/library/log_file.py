# A log is written outside.
# damage: created-outside
import logging

logging.basicConfig(filename="../outside/run.log")
logging.error("hello")
