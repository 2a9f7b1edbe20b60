# An archive is unpacked outside.
# damage: created-outside
import shutil

shutil.make_archive("packed", "tar", "tree")
shutil.unpack_archive("packed.tar", "../outside/new")
