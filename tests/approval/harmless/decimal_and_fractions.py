import decimal
import fractions
import math
import statistics

decimal.getcontext().prec = 30
print(decimal.Decimal(1) / 7, fractions.Fraction(1, 3) + fractions.Fraction(1, 6))
print(math.comb(10, 3), math.isclose(math.fsum([0.1] * 10), 1), statistics.median([3, 1, 2]))
