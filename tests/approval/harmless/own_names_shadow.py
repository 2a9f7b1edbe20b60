def rmtree(path):
    return f"pretending to delete {path}"


class os:
    @staticmethod
    def remove(path):
        return f"not removing {path}"


print(rmtree("/"), os.remove("/etc/passwd"))
exec("x = 1")
print(eval("x + 1"))
