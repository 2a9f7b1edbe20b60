import sched
import time

done = []
scheduler = sched.scheduler(time.monotonic, time.sleep)
scheduler.enter(0.02, 1, done.append, ("second",))
scheduler.enter(0.01, 1, done.append, ("first",))
scheduler.run()
print(done)
