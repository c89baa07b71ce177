"""English forms that follow from spelling: third person -s, and a or an."""

_SIBILANTS = ("s", "x", "z", "ch", "sh", "o")
_VOWELS = "aeiou"


def third_person(verb: str) -> str:
    """The third person singular of a regular verb: sees, catches, carries, plays."""
    if verb.endswith(_SIBILANTS):
        return verb + "es"
    if verb.endswith("y") and verb[-2] not in _VOWELS:
        return verb[:-1] + "ies"
    return verb + "s"


def indefinite_article(next_word: str) -> str:
    """`an` before a vowel letter, else `a`.

    The vocabulary holds no word whose first letter misleads about its first sound (hour,
    university); a test keeps it so.
    """
    return "an" if next_word[0].lower() in _VOWELS else "a"
