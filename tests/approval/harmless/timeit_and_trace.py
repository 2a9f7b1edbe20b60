import timeit
import trace

print(timeit.timeit("sum(range(10))", number=100) > 0)
tracer = trace.Trace(count=1, trace=0)
tracer.runfunc(lambda: [number for number in range(3)])
print(len(tracer.results().counts) > 0)
