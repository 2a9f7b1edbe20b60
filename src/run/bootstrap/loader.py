# Starts inline code. `main`, the globals of the code, are given. Nothing here may keep them beyond the code's end:
# what its globals hold would not be finalized.

import sys


def load(main, helper, source):
    main.pop("_", None)
    main["__file__"] = "<code>"

    def help(call, *args):
        scope = {"source": source, "name": "<code>", "sys": sys}
        exec(helper, scope)
        return scope[call](*args)

    def find_spec(name, *args):
        if name == "linecache" or name == "multiprocessing.spawn":
            return help("find_spec", find_spec, name, *args)

    find_spec.find_spec = find_spec
    sys.meta_path.insert(0, find_spec)

    # `compile` would name the code at once, but makes all classes of `ast` first, which takes a tenth of a start. So
    # the code is named when it begins. Where it has errors or warnings, which bear its name, it is compiled after all.
    filters = sys.modules["_warnings"].filters
    strict = "error", None, SyntaxWarning, None, 0
    began = []

    def begin(frame, event, _):
        if event == "call" and frame.f_globals is main:
            began.append(sys.setprofile(None))
            filters.remove(strict)
            sys.modules["_imp"]._fix_co_filename(frame.f_code, "<code>")

    filters.insert(0, strict)
    sys.setprofile(begin)
    try:
        try:
            exec(source, main)
        except Exception:
            if began:
                raise
        if not began:
            sys.setprofile(None)
            filters.remove(strict)
            exec(compile(source, "<code>", "exec", 0, True), main)
    except SystemExit:
        raise
    except BaseException:
        help("uncaught")
        raise


