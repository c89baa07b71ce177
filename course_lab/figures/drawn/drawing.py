"""A drawing: parts, what they show in words, and SVG that follows light and dark."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from course_lab.figures.drawn.parts import INDEX, SYMBOL, WORD, Number, Part
from course_lab.figures.language import marked
from course_lab.figures.palette import ROLES, SURFACES, Colour, for_words

LARGEST = 1.25
"""On a wide page a drawing is so many times as large as its units."""
_DARK = (
    '[data-jp-theme-light="false"] .course-drawing',
    'html[theme="dark"] .course-drawing',
    ".vscode-dark .course-drawing",
)
"""How JupyterLab, Colab and VS Code name their dark scheme; the book has the palette itself."""
_SHAPES = f"""\
.course-drawing{{display:block;height:auto;max-width:100%}}
.course-drawing text{{fill:var(--word);font:{WORD:g}px system-ui,-apple-system,"Segoe UI",\
"Noto Sans","DejaVu Sans",sans-serif}}
.course-drawing .sy{{font:italic {SYMBOL:g}px "STIX Two Text","Cambria","Times New Roman",\
"DejaVu Serif",serif}}
.course-drawing .ix{{font:italic {INDEX:g}px "STIX Two Text","Cambria","Times New Roman",\
"DejaVu Serif",serif}}
.course-drawing .nu{{font-style:normal}}
.course-drawing :is(rect,circle,path){{fill:none;stroke:var(--mark)}}
.course-drawing :is(rect,circle){{fill:color-mix(in srgb,var(--mark) 14%,var(--course-ground))}}
.course-drawing .group rect{{fill:none;stroke-dasharray:4 4}}
.course-drawing .way path{{stroke-linejoin:round}}
.course-drawing polygon{{fill:var(--mark)}}
"""


@dataclass(frozen=True)
class Drawing:
    """An architecture as a picture; the last value of a cell, or an image in Markdown.

    Attributes:
        name: by which it is found, in small letters.
        title: what it shows, in a few words.
        description: the same for those who can not see it: every part and every arrow.
        height: in units.
        parts: from the lowest to the uppermost.
        width: in units; of most it is what a phone has room for.
    """

    name: str
    title: str
    description: str
    height: Number
    parts: Sequence[Part]
    width: Number = 360

    def __repr__(self) -> str:
        return f"<Drawing: {self.title}>"

    def _repr_html_(self) -> str:
        return self.svg()

    def svg(self) -> str:
        """For a page: no ground of its own, in the colours of the page."""
        wide = LARGEST * self.width
        return marked(self._element(f'style="width:{wide:g}px"', self._style()))

    def file(self) -> str:
        """For a file that is shown as an image: with its own ground, light or dark."""
        wide, high = LARGEST * self.width, LARGEST * self.height
        dark = "".join(f"{name}:{colour.dark};" for name, colour in self._colours())
        style = (
            f"{self._style()}@media screen and (prefers-color-scheme:dark){{"
            f".course-drawing{{{dark}}}}}\n.course-drawing .ground{{fill:var(--course-ground,"
            f"{SURFACES['ground'].light});stroke:none}}\n"
        )
        ground = '<rect class="ground" width="100%" height="100%"/>\n'
        return self._element(f'width="{wide:g}" height="{high:g}"', style, ground)

    def _element(self, size: str, style: str, ground: str = "") -> str:
        told = f"drawing-{self.name}"
        drawn = "\n".join(part.svg() for part in self.parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" class="course-drawing" role="img" '
            f'viewBox="0 0 {self.width:g} {self.height:g}" stroke-width="1.4" {size} '
            f'aria-labelledby="{told}-title" aria-describedby="{told}-words">\n'
            f'<title id="{told}-title">{escape(self.title)}</title>\n'
            f'<desc id="{told}-words">{escape(self.description)}</desc>\n'
            f"<style>\n{style}</style>\n{ground}{drawn}\n</svg>\n"
        )

    def _colours(self) -> list[tuple[str, Colour]]:
        """The custom properties that the drawing asks for."""
        found = [("--course-ground", SURFACES["ground"])]
        for role in self._roles():
            colour = ROLES.get(role) or SURFACES[role]
            found.append((f"--course-{role}", colour))
            if role in ROLES:
                found.append((f"--course-{role}-word", for_words(colour)))
        return found

    def _roles(self) -> list[str]:
        return sorted({getattr(part, "role", "muted") for part in self.parts})

    def _style(self) -> str:
        """What the roles mean; a page that knows none of the colours gets the light ones."""
        lights = {name: f"var({name},{colour.light})" for name, colour in self._colours()}
        roles = "".join(
            f".course-drawing .{role}{{--mark:{lights[f'--course-{role}']};"
            f"--word:{lights.get(f'--course-{role}-word', lights[f'--course-{role}'])}}}\n"
            for role in self._roles()
        )
        dark = "".join(f"{name}:{colour.dark};" for name, colour in self._colours())
        shapes = _SHAPES.replace("var(--course-ground)", lights["--course-ground"])
        return f"{shapes}{roles}@media screen{{{','.join(_DARK)}{{{dark}}}}}\n"
