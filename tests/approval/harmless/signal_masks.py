import os
import signal
import threading

signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR2})
os.kill(os.getpid(), signal.SIGUSR2)
print(signal.sigpending() == {signal.SIGUSR2})
print(signal.sigwait({signal.SIGUSR2}) == signal.SIGUSR2)
signal.pthread_kill(threading.get_ident(), 0)
print("still here")
