import dataclasses
import datetime
import json


@dataclasses.dataclass
class Event:
    name: str
    when: datetime.date


def encode(value):
    if dataclasses.is_dataclass(value):
        return dataclasses.asdict(value)
    return value.isoformat()


print(json.dumps(Event("launch", datetime.date(2024, 2, 29)), default=encode, sort_keys=True))
