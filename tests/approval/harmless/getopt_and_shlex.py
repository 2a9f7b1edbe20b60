import getopt
import shlex

print(getopt.getopt(["-a", "--long=x", "rest"], "a", ["long="]))
print(shlex.split("rm -rf 'my dir'"), shlex.join(["git", "push", "--force"]))
