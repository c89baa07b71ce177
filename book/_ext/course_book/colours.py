"""The colours of the course as a list with samples, from the palette that figures draw with.

    ```{colours} roles
    source: the source sentence
    ...
    ```

Each line says what one colour stands for; their names must be those of the palette, all of them
and in its order, so that the list cannot go stale. A sample follows the page's scheme.
"""

from collections.abc import Mapping, Sequence

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from course_lab.figures.palette import MODELS, NEUTRALS, ROLES

OTHERS = "others"
"""The name of the line on what is none of the models."""
KINDS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "roles": {name: [f"--course-{name}"] for name in ROLES},
    "models": {name: [f"--course-model-{name}"] for name in MODELS}
    | {OTHERS: [f"--course-neutral-{place + 1}" for place in range(len(NEUTRALS))]},
}
"""For each list the properties of a page that hold the colours of each line."""


def told(kind: str, lines: Sequence[str]) -> dict[str, str]:
    """The words for each colour of a kind.

    Raises:
        ValueError: other names than the palette has, or in another order.
    """
    if kind not in KINDS:
        raise ValueError(f"want one of {', '.join(KINDS)}, got {kind!r}")
    words = dict(line.split(": ", 1) for line in lines if ": " in line)
    if list(words) != list(KINDS[kind]):
        raise ValueError(f"the palette has {', '.join(KINDS[kind])}; got {', '.join(words)}")
    return words


class Colours(SphinxDirective):
    """`{colours} roles` or `{colours} models`, with a line of words for each colour."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """A list; its samples say nothing to those who listen."""
        try:
            words = told(self.arguments[0], self.content)
        except ValueError as error:
            raise self.error(str(error)) from error
        items = nodes.bullet_list("", classes=["colours"])
        for name, properties in KINDS[self.arguments[0]].items():
            samples = "".join(f'<i style="background:var({one})"></i>' for one in properties)
            sample = nodes.raw("", f'<span aria-hidden="true">{samples}</span>', format="html")
            parts, _ = self.state.inline_text(words[name], self.lineno)
            items += nodes.list_item("", nodes.paragraph("", "", sample, *parts))
        return [items]


def setup(app: Sphinx) -> None:
    """Register the directive."""
    app.add_directive("colours", Colours)
