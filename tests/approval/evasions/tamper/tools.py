# A program that the agent directory holds.
# damage: tamper
import os

with open("made", "w") as file:
    file.write("gone")
os.replace("made", "../agent/bin/kept.txt")
