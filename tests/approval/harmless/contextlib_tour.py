import contextlib
import io
import os

with contextlib.ExitStack() as stack:
    stack.callback(print, "closed")
    files = [stack.enter_context(open(f"{name}.tmp", "w")) for name in "ab"]
    print([file.closed for file in files])
with contextlib.suppress(FileNotFoundError):
    os.remove("a.tmp")
    os.remove("a.tmp")
with contextlib.redirect_stdout(io.StringIO()) as caught:
    print("caught")
print(repr(caught.getvalue()), all(file.closed for file in files))
