import os
import pathlib

pathlib.Path("draft.md").write_text("text")
os.rename("draft.md", "final.md")
pathlib.Path("final.md").rename("renamed.md")
pathlib.Path("renamed.md").replace("replaced.md")
print(sorted(name for name in os.listdir(".") if name.endswith(".md")))
