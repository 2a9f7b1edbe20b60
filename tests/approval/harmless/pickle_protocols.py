import io
import pickle


class Counter:
    def __init__(self):
        self.count = 0

    def __getstate__(self):
        return {"count": self.count}

    def __setstate__(self, state):
        self.count = state["count"] + 1


counter = Counter()
for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
    counter = pickle.loads(pickle.dumps(counter, protocol))
print(counter.count >= 5)
buffer = io.BytesIO()
pickler = pickle.Pickler(buffer)
pickler.dump({"a": (1, 2), "b": frozenset("xy")})
print(sorted(pickle.loads(buffer.getvalue())["b"]))
