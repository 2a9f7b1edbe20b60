# The library for encrypted connections opens its log from C.
# damage: created-outside
# needs: ssl
import ssl

ssl.create_default_context().keylog_filename = "../outside/keys.log"
