import calendar
import datetime
import locale
import time
import zoneinfo

print(locale.setlocale(locale.LC_ALL, "C"), time.strftime("%Y-%m-%d", time.gmtime(0)))
print(datetime.datetime(2024, 1, 31) + datetime.timedelta(days=30), calendar.isleap(2024))
print(datetime.datetime.fromisoformat("2024-05-01T10:00:00+02:00").astimezone(datetime.timezone.utc))
print(time.monotonic() > 0, isinstance(zoneinfo.TZPATH, tuple))
