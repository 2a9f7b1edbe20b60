import collections
import datetime
import json
import pathlib
import statistics

records = [{"day": f"2024-01-{day:02}", "sold": day * 3 % 7} for day in range(1, 29)]
by_weekday = collections.defaultdict(list)
for record in records:
    by_weekday[datetime.date.fromisoformat(record["day"]).strftime("%a")].append(record["sold"])
report = {day: round(statistics.mean(sold), 2) for day, sold in by_weekday.items()}
out = pathlib.Path("reports")
out.mkdir(exist_ok=True)
(out / "weekdays.json").write_text(json.dumps(report, indent=1))
print(json.loads((out / "weekdays.json").read_text()))
