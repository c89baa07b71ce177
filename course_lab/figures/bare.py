"""Scripts and styles as a figure carries them: without comments, indentation and empty lines."""

import re

# Strings first, so that no comment begins in one. A slash after one of those signs begins a regular
# expression, and elsewhere it divides. A template may hold another one inside its braces.
_STRING = r""""(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'"""
_TEMPLATE = r"`(?:\\.|\$\{(?:[^{}`]|`[^`]*`|\{[^{}]*\})*\}|[^`\\])*`"
_CLASS = r"\[(?:\\.|[^\]\\\n])*\]"
_REGEX = rf"(?:(?<=[(,=:\[!&|?{{}};>\n])|(?<=\breturn))\s*/(?![*/])(?:\\.|{_CLASS}|[^/\\\[\n])+/"
_BLOCK = r"([ \t]*)/\*.*?\*/"
_SCRIPT = re.compile(rf"({_STRING}|{_TEMPLATE}|{_REGEX})|{_BLOCK}|//[^\n]*", re.DOTALL)
_STYLE = re.compile(rf"({_STRING})|{_BLOCK}", re.DOTALL)


def bare(text: str, suffix: str) -> str:
    """The text of a `.js` or a `.css` without what neither a browser nor a reader of it needs."""
    told = (_SCRIPT if suffix == ".js" else _STYLE).sub(_kept, text)
    return "\n".join(line for line in map(str.strip, told.splitlines()) if line)


def _kept(found: re.Match[str]) -> str:
    """A string as it is; of a comment nothing, or a blank where it separates two words."""
    return found[1] or ("" if found[2] is None or found[2] else " ")
