"""All drawings by name."""

from course_lib.errors import CourseError
from course_lib.figures.drawn.attend_compare import attend_compare
from course_lib.figures.drawn.attention_decoder import attention_decoder
from course_lib.figures.drawn.bell import bell
from course_lib.figures.drawn.drawing import Drawing
from course_lib.figures.drawn.hull import hull
from course_lib.figures.drawn.input_feeding import input_feeding
from course_lib.figures.drawn.look_or_glance import look_or_glance
from course_lib.figures.drawn.one_vector import one_vector
from course_lib.figures.drawn.three_glances import three_glances
from course_lib.figures.drawn.three_keys import three_keys
from course_lib.figures.drawn.two_levels import two_levels

DRAWINGS = {
    "one_vector": one_vector,
    "attention_decoder": attention_decoder,
    "attend_compare": attend_compare,
    "hull": hull,
    "input_feeding": input_feeding,
    "two_levels": two_levels,
    "three_keys": three_keys,
    "bell": bell,
    "look_or_glance": look_or_glance,
    "three_glances": three_glances,
}


def drawing(name: str) -> Drawing:
    """The drawing of this name.

    Raises:
        CourseError: there is none.
    """
    if name not in DRAWINGS:
        raise CourseError(f"there is no drawing {name!r}; there are: {', '.join(DRAWINGS)}")
    return DRAWINGS[name]()
