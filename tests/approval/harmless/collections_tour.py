import bisect
import collections
import heapq
import itertools

print(collections.Counter("banana").most_common(1), collections.deque([1, 2, 3], maxlen=2))
print(heapq.nsmallest(2, [5, 1, 4]), bisect.bisect([1, 3, 5], 4))
print(list(itertools.islice(itertools.cycle("ab"), 5)), collections.ChainMap({"a": 1}, {"a": 2})["a"])
ordered = collections.OrderedDict(a=1, b=2)
ordered.move_to_end("a")
print(list(ordered), collections.defaultdict(list, x=[1])["y"])
