import doctest


def double(value):
    """Doubles.

    >>> double(2)
    4
    >>> double("ab")
    'abab'
    """
    return value * 2


print(doctest.run_docstring_examples(double, {"double": double}), doctest.DocTestFinder().find(double)[0].name)
runner = doctest.DocTestRunner(verbose=False)
for test in doctest.DocTestFinder().find(double, globs={"double": double}):
    print(runner.run(test))
