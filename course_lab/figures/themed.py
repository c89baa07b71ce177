"""Makes of matplotlib's SVG one that can stand in a page: in its colours, small, with words.

Each colour of the palette becomes the custom property that a page sets for its scheme, with the
light value for where nobody does: as an image, in an editor. Text stays text. What names nothing,
or would reach the rest of the page, is taken out, and ids are the figure's own.
"""

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping

from course_lab.figures.palette import (
    EMPTY,
    FULL,
    MODELS,
    NEUTRALS,
    ON_EMPTY,
    ON_FULL,
    SURFACES,
    mixed,
)

_SVG, _XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
_FONT = "system-ui,'DejaVu Sans',sans-serif"
_PIXELS = 96 / 72
_STEPS = 255
_COLOUR = re.compile(r"#[0-9a-f]{6}")
_LONG = re.compile(r"-?\d+\.\d+")
_REFERENCE = re.compile(r"url\(#([^)]+)\)|^#(.+)$")
_NUMBERS = (
    "d",
    "x",
    "y",
    "x1",
    "x2",
    "y1",
    "y2",
    "width",
    "height",
    "points",
    "viewBox",
    "transform",
)
_UNTURNED = re.compile(r"\s*rotate\(-?0(?:\.0+)? [^)]*\)")


def _named() -> dict[str, str]:
    """What a page calls each colour that a figure draws with."""
    found = {colour.light: name for name, colour in SURFACES.items()}
    found |= {colour.light: f"model-{name}" for name, colour in MODELS.items()}
    found |= {colour.light: f"neutral-{place}" for place, colour in enumerate(NEUTRALS, start=1)}
    # A white page and the ink of a full cell have one value; figures lie on the card.
    found |= {ON_EMPTY.light: "on-empty", ON_FULL.light: "on-full"}
    return {value: f"var(--course-{name},{value})" for value, name in found.items()}


_NAMED = _named()
_SHADES = {
    mixed(step / _STEPS, FULL.light, EMPTY.light): (
        f"color-mix(in srgb,var(--course-full,{FULL.light}) {100 * step / _STEPS:.3g}%,"
        f"var(--course-empty,{EMPTY.light}))"
    )
    for step in range(_STEPS + 1)
}
_COLOURS = {**_SHADES, **_NAMED}


def themed(svg: str, headline: str, detail: str, own: str) -> str:
    """The same figure for a page.

    Args:
        svg: as matplotlib writes it with `svg.fonttype` "none".
        headline: what kind of figure it is.
        detail: what is to be seen in it.
        own: what its ids begin with.
    """
    root = ET.fromstring(svg)
    # In their order, since matplotlib's own ids are hashes of what is drawn.
    used = dict.fromkeys(name for element in root.iter() for name in _references(element))
    names = {name: f"{own}-{place}" for place, name in enumerate(used)}
    drawn = ET.Element("svg", _frame(root))
    for tag, text in (("title", headline), ("desc", detail)):
        ET.SubElement(drawn, tag).text = text
    for child in root:
        drawn.extend(_kept(child, names))
    # One element a line, but none in a text: a notebook stores lines, and a difference shows.
    text = ET.tostring(drawn, encoding="unicode").replace(" />", "/>")
    return re.sub(r"><(?!/?tspan|/text)", ">\n<", text) + "\n"


def _frame(root: ET.Element) -> Mapping[str, str]:
    *_, wide, high = (float(part) for part in root.get("viewBox").split())
    return {
        "xmlns": _SVG,
        "class": "course-figure",
        "role": "img",
        "viewBox": _short("viewBox", root.get("viewBox")),
        "width": f"{wide * _PIXELS:.0f}",
        "height": f"{high * _PIXELS:.0f}",
        "font-family": _FONT,
        # What matplotlib says in a style sheet, which would hold for the whole page.
        "stroke-linejoin": "round",
        "stroke-linecap": "butt",
    }


def _kept(element: ET.Element, names: Mapping[str, str], ink: str = "") -> list[ET.Element]:
    """An element as it stands in a page: itself, its children in its place, or nothing.

    Args:
        element: as matplotlib wrote it.
        names: the new names of ids.
        ink: what it is filled with from above; nothing is SVG's black, which matplotlib leaves out.
    """
    tag = element.tag.removeprefix(f"{{{_SVG}}}")
    if tag in ("metadata", "style", "title", "desc") or tag.startswith("{"):
        return []
    attributes = {}
    for key, value in element.attrib.items():
        if key == "id":
            if value in names:
                attributes["id"] = names[value]
            continue
        key = "href" if key == f"{{{_XLINK}}}href" else key
        value = _REFERENCE.sub(lambda found: _renamed(found, names), value)
        if key == "style":
            attributes |= _styled(value)
        elif value := _short(key, value):
            attributes[key] = value
    ink = attributes.get("style", "") if "fill:" in attributes.get("style", "") else ink
    if tag == "text" and not ink:
        attributes["style"] = f"fill:{_NAMED[ON_EMPTY.light]};{attributes['style']}"
    children = [kept for child in element for kept in _kept(child, names, ink)]
    if tag in ("g", "defs") and not (children and (attributes or tag == "defs")):
        return children
    copy = ET.Element(tag, attributes)
    copy.text = element.text if element.text and element.text.strip() else None
    copy.extend(children)
    return [copy]


def _references(element: ET.Element) -> list[str]:
    found = (match for value in element.attrib.values() for match in _REFERENCE.finditer(value))
    return [match[1] or match[2] for match in found]


def _renamed(found: re.Match[str], names: Mapping[str, str]) -> str:
    return f"url(#{names[found[1]]})" if found[1] else f"#{names[found[2]]}"


def _styled(style: str) -> dict[str, str]:
    """A style in the page's colours; a mixture also as an attribute, for who cannot mix."""
    shade = re.search(r"fill: (#[0-9a-f]{6})", style)
    style = re.sub(r"font-family: [^;]*;? ?", "", style).replace("'DejaVu Sans'", _FONT)
    style = _COLOUR.sub(lambda found: _COLOURS.get(found[0], found[0]), style)
    style = re.sub(r"([;:]) ", r"\1", style)
    plain = {"fill": shade[1]} if shade and shade[1] in _SHADES else {}
    return {**plain, "style": style} if style else plain


def _short(key: str, value: str) -> str:
    """Numbers in hundredths of a point, and no turn by nothing."""
    if key == "transform":
        value = _UNTURNED.sub("", value)
    if key in _NUMBERS:
        value = _LONG.sub(lambda found: f"{float(found[0]):.2f}".rstrip("0").rstrip("."), value)
    return re.sub(r"\s+", " ", value).strip()
