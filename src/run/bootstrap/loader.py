def _(helper, source):
    import sys

    # Nothing of ours may hold the code's globals when the code is done, or its objects would outlive their time.
    main = globals().pop("main")
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


