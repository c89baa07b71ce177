"""Live cells: the reader's own sentence, numbers or length go through the real model in the kernel.

    def left(cell, distance): ...
    Live(left, cell=["tanh", "GRU"], distance=range(1, 101))

In JupyterLab, VS Code and Colab the cell shows controls of ipywidgets, and each change calls the
function again. Where no kernel answers, as in the book, it shows the answer to the first values.
"""

from collections.abc import Callable
from html import escape
from importlib.util import find_spec
from typing import Any

from course_lib.errors import CourseError

_VIEW = "application/vnd.jupyter.widget-view+json"
_NO_WIDGETS = "To type here, install the package ipywidgets and run this cell again."
_STILL = "Run this cell in a notebook to change it yourself."

Choice = str | bool | range | tuple[float, float, float] | list[str]
"""What a control offers: a text to edit, a switch, a range of whole numbers, a slider over (lowest,
highest, step), or a list of names.

A text and a switch start as given, the others at their first value unless `start` says otherwise.
"""


class Live:
    """A function of a few inputs, with a control for each of them.

    Args:
        answer: called with one value for each input; gives a text or anything that a notebook can
            show as HTML or as a `Picture`. A `CourseError` or `ValueError` is shown as a sentence
            beside the controls, so a reader's slip loses nothing.
        start: first values of ranges and of names, where these are not the first ones.
        inputs: what each control offers.

    Raises:
        ValueError: no input, or a first value that its control does not offer.

    Attributes:
        values: the values that the answer was made from last.
        html: the answer to them, or what was wrong with them.
    """

    def __init__(
        self,
        answer: Callable[..., Any],
        *,
        start: dict[str, Any] | None = None,
        **inputs: Choice,
    ) -> None:
        self._answer, self._inputs = answer, inputs
        self.values = {name: _first(choice) for name, choice in inputs.items()} | (start or {})
        if not inputs or set(self.values) != set(inputs):
            raise ValueError(f"want a control for each of {sorted(self.values)}; got {[*inputs]}")
        for name, choice in inputs.items():
            if not _offers(choice, self.values[name]):
                raise ValueError(f"want {name} among {choice}; got {self.values[name]!r}")
        self.html = self._asked()

    def set(self, **values: Any) -> str:
        """Asks again with other values, as a reader does by the controls; the answer as HTML."""
        self.values = self.values | values
        self.html = self._asked()
        return self.html

    def _asked(self) -> str:
        try:
            return _shown(self._answer(**self.values))
        except (CourseError, ValueError) as error:
            return f'<p class="cl-note" role="alert">{escape(str(error))}</p>'

    def __repr__(self) -> str:
        return f"<Live: {', '.join(self._inputs)}>"

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        """The first answer as HTML, and beside it the controls for a notebook that has them."""
        has_widgets = find_spec("ipywidgets") is not None
        note = _STILL if has_widgets else _NO_WIDGETS
        chosen = "".join(
            f"<tr><th>{escape(name)}</th><td>{escape(str(value))}</td></tr>"
            for name, value in self.values.items()
        )
        still = (
            f'<div class="cl-live"><table class="table">{chosen}</table>{self.html}'
            f'<p class="cl-note">{note}</p></div>'
        )
        bundle: dict[str, Any] = {"text/plain": repr(self), "text/html": still}
        if has_widgets:
            bundle[_VIEW] = self.controls()._repr_mimebundle_()[_VIEW]
        return bundle

    def controls(self) -> Any:
        """The widgets: a box with a control for each input, and the answer below them."""
        import ipywidgets

        shown = ipywidgets.HTML(self.html)
        controls = {
            name: _control(ipywidgets, name, choice, self.values[name])
            for name, choice in self._inputs.items()
        }

        def changed(_: object) -> None:
            shown.value = self.set(**{name: part.value for name, part in controls.items()})

        for part in controls.values():
            part.observe(changed, "value")
        return ipywidgets.VBox([*controls.values(), shown])


def _first(choice: Choice) -> Any:
    return choice if isinstance(choice, str | bool) else choice[0]


def _offers(choice: Choice, value: Any) -> bool:
    if isinstance(choice, str | bool):
        return isinstance(value, type(choice))
    if isinstance(choice, tuple):
        return choice[0] <= value <= choice[1]
    return value in choice


def _control(widgets: Any, name: str, choice: Choice, value: Any) -> Any:
    common = {"description": name.replace("_", " "), "value": value}
    common["style"] = {"description_width": "initial"}
    if isinstance(choice, bool):
        return widgets.Checkbox(**common)
    # A slider answers when it is let go, a text on Enter or when it is left.
    common["continuous_update"] = False
    if isinstance(choice, str):
        return widgets.Text(**common, layout={"width": "min(40em, 95%)"})
    if isinstance(choice, range):
        ends = {"min": choice[0], "max": choice[-1], "step": choice.step}
        return widgets.IntSlider(**common, **ends)
    if isinstance(choice, tuple):
        low, high, step = choice
        return widgets.FloatSlider(**common, min=low, max=high, step=step)
    del common["continuous_update"]
    return widgets.Dropdown(**common, options=list(choice))


def _shown(answer: Any) -> str:
    """The answer as HTML that needs no script."""
    if hasattr(answer, "svg"):
        return answer.svg()
    if hasattr(answer, "_repr_html_"):
        return answer._repr_html_()
    return f"<p>{escape(str(answer))}</p>"
