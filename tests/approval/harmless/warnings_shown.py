import warnings

with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    warnings.warn("old", DeprecationWarning)
print([str(warning.message) for warning in caught])
warnings.filterwarnings("error")
try:
    warnings.warn("now an error")
except UserWarning as error:
    print(error)
