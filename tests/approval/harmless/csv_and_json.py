import csv
import json

rows = [{"name": "a", "n": 1}, {"name": "b, with comma", "n": 2}]
with open("rows.csv", "w", newline="") as file:
    writer = csv.DictWriter(file, ["name", "n"])
    writer.writeheader()
    writer.writerows(rows)
with open("rows.csv", newline="") as file:
    back = list(csv.DictReader(file))
with open("rows.json", "w") as file:
    json.dump(back, file, indent=2)
print(json.load(open("rows.json")))
