"""Scripts and styles as a figure carries them: without comments, indentation and what is unused."""

import re
from collections.abc import Iterable

# Strings first, so that no comment begins in one. A slash after one of those signs begins a regular
# expression, and elsewhere it divides. A template may hold another one inside its braces.
_STRING = r""""(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'"""
_TEMPLATE = r"`(?:\\.|\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\}|[^`\\])*`"
_CLASS = r"\[(?:\\.|[^\]\\\n])*\]"
_REGEX = rf"(?:(?<=[(,=:\[!&|?{{}};>\n])|(?<=\breturn))\s*/(?![*/])(?:\\.|{_CLASS}|[^/\\\[\n])+/"
_BLOCK = r"([ \t]*)/\*.*?\*/"
_SCRIPT = re.compile(rf"({_STRING}|{_TEMPLATE}|{_REGEX})|{_BLOCK}|//[^\n]*", re.DOTALL)
# A blank before a colon parts two selectors.
_BLANK = re.compile(r"(?<=[:,;{]) +| +(?=[{}])")
_SIGN = "[{}();,=?:&|]"
_GAP = re.compile(rf"({_STRING}|{_TEMPLATE}|{_REGEX})|(?<={_SIGN}) +| +(?={_SIGN})", re.DOTALL)
_STYLE = re.compile(rf"({_STRING})|{_BLOCK}", re.DOTALL)


def bare(text: str, suffix: str) -> str:
    """The text of a `.js` or a `.css` without what neither a browser nor a reader of it needs."""
    told = _uncommented(text, suffix)
    if suffix == ".css":
        told = _BLANK.sub("", told)
    else:
        told = _GAP.sub(lambda found: found[1] or "", told)
    return "\n".join(line for line in map(str.strip, told.splitlines()) if line)


def _uncommented(text: str, suffix: str) -> str:
    return (_SCRIPT if suffix == ".js" else _STYLE).sub(_kept, text)


def _kept(found: re.Match[str]) -> str:
    """A string as it is; of a comment nothing, or a blank where it separates two words."""
    return found[1] or ("" if found[2] is None or found[2] else " ")


_TOP = re.compile(r"^(?=(?:function|const) )", re.MULTILINE)
_DECLARED = re.compile(r"function (\w+)|(\w+) =(?![=>])|(?<=[\[,{ ])(\w+)(?=[,\]}])")
_WORD = re.compile(r"[A-Za-z_]\w*")


def declared(text: str) -> dict[str, int]:
    """The functions and constants of a script, each with the place of its piece in `pieces`."""
    found = {}
    for place, piece in enumerate(pieces(text)):
        if piece.startswith(("function", "const")):
            head = piece.partition("(")[0] if piece.startswith("function") else piece.split("\n")[0]
            for names in _DECLARED.findall(head):
                found.setdefault(next(filter(None, names)), place)
    return found


def pieces(text: str) -> list[str]:
    """The script cut before each function and constant that stands at the edge."""
    return _TOP.split(text)


def used(text: str, roots: Iterable[str]) -> str:
    """A script without the functions and constants that these, or what they name, never name."""
    text = _uncommented(text, ".js")
    parts, names = pieces(text), declared(text)
    wanted, keep = list(roots), {0}
    while wanted:
        place = names.get(wanted.pop())
        if place is not None and place not in keep:
            keep.add(place)
            wanted += _WORD.findall(parts[place])
    return "".join(parts[place] for place in sorted(keep))
