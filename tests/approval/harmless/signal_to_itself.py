import os
import signal

seen = []
signal.signal(signal.SIGUSR1, lambda number, frame: seen.append(number))
os.kill(os.getpid(), signal.SIGUSR1)
signal.raise_signal(signal.SIGUSR1)
print(seen == [signal.SIGUSR1] * 2)
print(signal.strsignal(signal.SIGTERM), signal.Signals(15).name)
