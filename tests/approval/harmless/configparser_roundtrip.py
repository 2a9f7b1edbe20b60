import configparser

config = configparser.ConfigParser()
config["server"] = {"host": "localhost", "port": "8080"}
config["paths"] = {"root": "/srv", "data": "%(root)s/data"}
with open("app.ini", "w") as file:
    config.write(file)
again = configparser.ConfigParser()
again.read("app.ini")
print(again.sections(), again["paths"]["data"], again.getint("server", "port"))
