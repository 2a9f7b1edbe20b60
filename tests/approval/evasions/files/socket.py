# Binding a socket makes a file.
# damage: created-outside
# needs: linux
import socket

socket.socket(socket.AF_UNIX).bind("../outside/socket")
