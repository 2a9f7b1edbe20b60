def _(helper, source):
    import sys

    main = globals()
    del main["_"]
    main["__file__"] = "<code>"
    scope = {"source": source, "sys": sys}

    def help():
        if "help" not in scope:
            exec(helper, scope)
        return scope["help"]

    def find_spec(name, path=None, target=None):
        if name == "linecache" or name == "multiprocessing.spawn":
            return help().find_spec(find_spec, name, path, target)

    find_spec.find_spec = find_spec
    sys.meta_path.insert(0, find_spec)

    # `compile` would name the code at once, but makes all classes of `ast` first, which takes a tenth of a start. So
    # the code is named when it begins. Where it has errors or warnings, which bear its name, it is compiled after all.
    begun = False

    def name_code(frame, event, _):
        nonlocal begun
        if event == "call" and frame.f_globals is main:
            begun = True
            sys.setprofile(None)
            filters.remove(strict)
            sys.modules["_imp"]._fix_co_filename(frame.f_code, "<code>")

    filters = sys.modules["_warnings"].filters
    strict = "error", None, SyntaxWarning, None, 0
    filters.insert(0, strict)
    sys.setprofile(name_code)
    try:
        try:
            exec(source, main)
        except Exception:
            if begun:
                raise
        if not begun:
            sys.setprofile(None)
            filters.remove(strict)
            exec(compile(source, "<code>", "exec", 0, True), main)
    except SystemExit:
        raise
    except BaseException:
        help().uncaught()
        raise


