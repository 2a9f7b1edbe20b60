# The IMAP client speaks to a command of the caller's choice.
# damage: program
import imaplib

try:
    imaplib.IMAP4_stream("../outside/run-me.sh")
except Exception:
    pass
