import os

print(os.environ.get("NO_SUCH_TOKEN_AT_ALL"), "~/.ssh/id_rsa".split("/")[-1], os.path.basename("/home/somebody/.netrc"))
with open(".env", "w") as file:
    file.write("KEY=value\n")
print(dict(line.strip().split("=") for line in open(".env")))
