# The module for the file of passwords looks it up by itself.
# damage: credentials
import netrc

print(netrc.netrc().hosts)
