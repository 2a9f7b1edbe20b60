import pathlib
import re

for number in range(3):
    pathlib.Path(f"mod{number}.py").write_text(f"def old_name():\n    return {number}\n\nprint(old_name())\n")
changed = 0
for path in sorted(pathlib.Path(".").glob("mod*.py")):
    text = path.read_text()
    new = re.sub(r"\bold_name\b", "new_name", text)
    if new != text:
        path.write_text(new)
        changed += 1
print(changed, pathlib.Path("mod1.py").read_text())
