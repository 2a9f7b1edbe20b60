def _(helper, source):
    import sys

    main = globals()
    del main["_"]
    scope = {"source": source, "sys": sys}

    def help():
        if "help" not in scope:
            exec(compile(helper, "<pi>", "exec"), scope)
        return scope["help"]

    def find_spec(name, path=None, target=None):
        if name == "linecache" or name == "multiprocessing.spawn":
            return help().find_spec(find_spec, name, path, target)

    find_spec.find_spec = find_spec
    sys.meta_path.insert(0, find_spec)
    main["__file__"] = "<code>"
    try:
        exec(compile(source, "<code>", "exec", 0, True), main)
    except SystemExit:
        raise
    except BaseException:
        help().uncaught()
        raise


