"""Very small and very large numbers as a reader sees them: 9·10⁻¹⁶, in words and in a table."""

import math
import re

from course_lab.figures.still.table import Table

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_EXPONENT = re.compile(r">(\d(?:\.\d+)?e[+-]\d+)<")


def power(norm: float) -> str:
    """A norm as a reader sees it: "0.53" near 1, powers of ten such as "3·10⁻⁴" elsewhere."""
    if math.isnan(norm):
        return "–"
    if norm in (0.0, math.inf):
        return "∞" if norm else "0"
    if 0.0995 <= norm < 9.95:
        return f"{norm:.2g}"
    mantissa, exponent = f"{norm:.0e}".split("e")
    raised = f"10{str(int(exponent)).translate(_RAISED)}"
    return raised if mantissa == "1" else f"{mantissa}·{raised}"


class PowersTable(Table):
    """A table whose texts such as "9e-16" a page shows as 9·10⁻¹⁶.

    As text they stay "9e-16": so a notebook that is executed again is compared as with any number.
    """

    def _repr_html_(self) -> str:
        return _EXPONENT.sub(lambda found: f">{power(float(found[1]))}<", super()._repr_html_())
