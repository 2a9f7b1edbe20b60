import re

text = "never run rm -rf / and never shutil.rmtree('/'), nor os.system('reboot')"  # os.remove(path)
print(re.findall(r"rm -rf|shutil\.rmtree|os\.system", text))


class Store:
    """Deletes nothing: subprocess.run(["git", "push"]) is only named here."""

    def __init__(self):
        self.items = ["a", "b"]

    def remove(self, item):
        self.items.remove(item)

    def unlink(self):
        return "unlinked"

    def system(self, command):
        return command.upper()

    def kill(self):
        return "kill -9"


store = Store()
store.remove("a")
print(store.items, store.unlink(), store.system("drop table x"), store.kill())
