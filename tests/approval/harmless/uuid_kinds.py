import uuid

print(uuid.uuid4().version, uuid.uuid1().version, uuid.uuid5(uuid.NAMESPACE_DNS, "example.org"))
print(uuid.getnode() > 0, uuid.UUID(int=5).hex[-1])
