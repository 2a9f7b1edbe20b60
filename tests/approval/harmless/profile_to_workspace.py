import cProfile
import io
import os
import pstats


def busy():
    return sum(number * number for number in range(1000))


profile = cProfile.Profile()
profile.runcall(busy)
profile.dump_stats("out.prof")
text = io.StringIO()
pstats.Stats("out.prof", stream=text).sort_stats("cumulative").print_stats(3)
print("busy" in text.getvalue(), os.path.getsize("out.prof") > 0)
