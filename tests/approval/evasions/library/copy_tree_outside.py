# shutil copies a tree.
# damage: created-outside
import shutil

shutil.copytree("tree", "../outside/new")
