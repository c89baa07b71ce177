"""All drawings by name."""

# ruff: noqa: F401 - each is found by its name

from collections.abc import Callable
from types import FunctionType

from course_lab.figures.drawn.all_ways import all_ways
from course_lab.figures.drawn.asks_in_plane import asks_in_plane
from course_lab.figures.drawn.attend_compare import attend_compare
from course_lab.figures.drawn.attention_decoder import attention_decoder
from course_lab.figures.drawn.before_or_behind import before_or_behind
from course_lab.figures.drawn.bell import bell
from course_lab.figures.drawn.drawing import Drawing
from course_lab.figures.drawn.gradient_way import gradient_way
from course_lab.figures.drawn.gru_road import gru_road
from course_lab.figures.drawn.half_matrix import half_matrix
from course_lab.figures.drawn.hand_states import hand_states
from course_lab.figures.drawn.hull import hull
from course_lab.figures.drawn.input_feeding import input_feeding
from course_lab.figures.drawn.kept_number import kept_number
from course_lab.figures.drawn.kept_words import kept_words
from course_lab.figures.drawn.king_in_plane import king_in_plane
from course_lab.figures.drawn.lags import lags
from course_lab.figures.drawn.look_or_glance import look_or_glance
from course_lab.figures.drawn.lstm_road import lstm_road
from course_lab.figures.drawn.no_shift import no_shift
from course_lab.figures.drawn.noisy_channel import noisy_channel
from course_lab.figures.drawn.one_or_two import one_or_two
from course_lab.figures.drawn.one_vector import one_vector
from course_lab.figures.drawn.padded_batch import padded_batch
from course_lab.figures.drawn.plane_by_hand import plane_by_hand
from course_lab.figures.drawn.readings_in_plane import readings_in_plane
from course_lab.figures.drawn.several_heads import several_heads
from course_lab.figures.drawn.shares_by_hand import shares_by_hand
from course_lab.figures.drawn.stripes import stripes
from course_lab.figures.drawn.three_glances import three_glances
from course_lab.figures.drawn.three_keys import three_keys
from course_lab.figures.drawn.three_maps import three_maps
from course_lab.figures.drawn.three_pairs import three_pairs
from course_lab.figures.drawn.three_uses import three_uses
from course_lab.figures.drawn.transformer_layers import transformer_layers
from course_lab.figures.drawn.two_cuts import two_cuts
from course_lab.figures.drawn.two_levels import two_levels
from course_lab.figures.drawn.two_readings import two_readings
from course_lab.figures.drawn.two_words import two_words
from course_lab.figures.drawn.unrolled import unrolled
from course_lab.figures.drawn.what_goes import what_goes
from course_lab.figures.drawn.whose_cache import whose_cache
from course_lib.errors import CourseError

DRAWINGS: dict[str, Callable[[], Drawing]] = {
    name: made for name, made in globals().items() if made.__class__ is FunctionType
}
"""Each of those that are imported above, by its name."""


def drawing(name: str) -> Drawing:
    """The drawing of this name.

    Raises:
        CourseError: there is none.
    """
    if name not in DRAWINGS:
        raise CourseError(f"there is no drawing {name!r}; there are: {', '.join(DRAWINGS)}")
    return DRAWINGS[name]()
