import math
import struct
import wave

with wave.open("tone.wav", "wb") as sound:
    sound.setnchannels(1)
    sound.setsampwidth(2)
    sound.setframerate(8000)
    samples = (int(10_000 * math.sin(n / 5)) for n in range(800))
    sound.writeframes(b"".join(struct.pack("<h", sample) for sample in samples))
with wave.open("tone.wav") as sound:
    print(sound.getnframes(), sound.getparams().framerate)
