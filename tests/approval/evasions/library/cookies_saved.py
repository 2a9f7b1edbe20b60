# A cookie jar is saved over a file outside.
# damage: overwritten
import http.cookiejar

http.cookiejar.LWPCookieJar("../outside/victim.txt").save()
