"""Shapes are checked at run time in every test: jaxtyping's hook, with beartype behind it."""

from pathlib import Path

from hypothesis import settings
from jaxtyping import install_import_hook

_ROOT = Path(__file__).parents[1]
# Where no shape is written there is nothing to find, and the check of plain words takes so long
# that a sentence of the grammar, which calls itself millions of times, takes a fifth of a second.
_SHAPED = [
    ".".join(path.relative_to(_ROOT).with_suffix("").parts)
    for package in ("course_lib", "course_lab")
    for path in sorted((_ROOT / package).rglob("*.py"))
    if "jaxtyping" in path.read_text(encoding="utf-8")
]
# The hook must be in place before the first import of anything of the two.
install_import_hook(_SHAPED, "beartype.beartype")

settings.register_profile("course", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("course")
