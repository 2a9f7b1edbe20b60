import inspect
import sys
import traceback


def outer():
    local = 5
    return inner()


def inner():
    frame = sys._getframe(1)
    return frame.f_code.co_name, frame.f_locals["local"], inspect.stack()[1].function


print(outer(), inspect.signature(outer), inspect.isfunction(outer))
try:
    {}["missing"]
except KeyError as error:
    print(traceback.format_exception_only(type(error), error), len(traceback.extract_tb(error.__traceback__)))
print(inspect.getdoc(len).split()[0], inspect.ismodule(sys))
