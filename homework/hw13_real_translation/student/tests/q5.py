# homework: hw13_real_translation
from otter.test_files import test_case

def with_own_line(function):
    """The same function; what it raises says which line of its author's code stopped."""
    import functools
    import linecache
    import traceback

    own = getattr(function, "__globals__", None)
    if own is None:
        return function

    @functools.wraps(function)
    def call(*given, **named):
        try:
            return function(*given, **named)
        except Exception as error:
            # The innermost step in the notebook's own code: below it are torch and the library.
            walk = traceback.walk_tb(error.__traceback__)
            steps = [(f.f_code, number) for f, number in walk if f.f_globals is own]
            if not steps:  # It has not begun, as where it takes other arguments.
                raise
            code, number = steps[-1]
            line = linecache.getline(code.co_filename, number, own).strip()
            says = f"{error} (your code stopped at line {number} of its cell"
            says += f": `{line}`)" if line else ")"
            kind = type(error)
            # Of the same kind and name, for tests that ask; otter shows the name and the text.
            told = type(kind.__name__, (kind,), {"__str__": lambda self: says})
            raise told.__new__(told) from error

    return call


OK_FORMAT = False

name = "q5"
points = 5

@test_case(points=1, hidden=False)
def test_each_word(worth):
    """A score that counts letters."""
    worth = with_own_line(worth)
    asked = []

    def score(german, english):
        asked.append(german)
        return float(len(german))
    got = worth(score, ['der', 'Hund', 'bellt'], 'The dog is barking.')
    assert isinstance(got, list), f'want a list of numbers, got {got}'
    assert len(got) == 3, f'want a number for each of 3 words, got {len(got)}'
    whole = 'Der Hund bellt.'
    told = f'the whole sentence is asked for as {whole!r}; you asked for {asked}'
    assert whole in asked, told
    told = f"without the first word the sentence is 'Hund bellt.'; you asked for {asked}"
    assert 'Hund bellt.' in asked, told
    told = f'4, 5 and 6 characters are lost: want [4, 5, 6], got {got}.'
    if [-x for x in got] == [4, 5, 6]:
        told += ' The fall is the whole score minus what is left.'
    elif got == [11, 10, 9]:
        told += ' That is what is left; the fall is wanted.'
    assert got == [4, 5, 6], told

