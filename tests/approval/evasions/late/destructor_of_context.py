# A value in the thread's context goes with the thread.
# status: any
# damage: deleted
import contextvars
import posix


class Value:
    def __del__(self, unlink=posix.unlink):
        unlink("../outside/victim.txt")


variable = contextvars.ContextVar("value")
variable.set(Value())
