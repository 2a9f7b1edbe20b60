# An example in a docstring is run as a test.
# damage: deleted
import doctest


def documented():
    """
    >>> import os
    >>> os.unlink('../outside/victim.txt')
    """


doctest.run_docstring_examples(documented, {})
