"""A deck of slides for each chapter, made of the built page: nothing is written twice.

A slide is one thing, as large as it fits: a figure, a table, a formula, a list or a cell of code.
It has one sentence, of the figure's caption or of the text before; the paragraphs are the speaker's
notes. A cell tagged `no-slide` is left out. reveal.js comes with the package sphinx-revealjs.
"""

import re
import shutil
from importlib.resources import files
from pathlib import Path

from bs4 import BeautifulSoup

from tools import HTML

FOLDER = HTML.with_name("slides")
_REVEAL = ("dist/reveal.css", "dist/reveal.js", "plugin/notes/notes.js", "LICENSE")
_UNSEEN = "a.headerlink, details, .admonition, .tag_no-slide, .tag_hide-cell, link[rel=preload]"
_SHOWN = """.math, figure, ol, section section > ul, blockquote, .pst-scrollable-table-container,
.cell:has(.cell_input, figure, table, img, svg)"""
# Of a sentence, but not inside of a mark; a formula holds its stop in a mark of its own.
_END = re.compile(r"(?:(?<=[.?!])|(?<=[.?!]</span>))\s+(?![^<]*(?:>|</))")


def deck(page: str) -> tuple[str, list[str]]:
    """The title and the slides of a page, and the page's own head above them."""
    soup = BeautifulSoup(page, "lxml")
    article = soup.select_one("article > section")
    for unseen in soup.select(_UNSEEN):
        unseen.decompose()
    for link in article.select("a:not([href^=http]), .caption-text"):
        link.unwrap()
    exercise = article.select_one("#exercises > p").decode_contents()
    breath = article.select("#in-one-breath > p:not(:has(> strong))")  # not what others say
    said = [part for p in breath for part in _END.split(p.decode_contents())]
    for after in article.select("#exercises, #exercises ~ section"):
        after.decompose()
    title = article.h1.decode_contents()
    question = article.p.extract()
    slides = [_slide(title, "From Recurrence to Attention", str(question))]
    heading = lead = notes = ""
    for block in article.select(f"section > :is(h1, h2, h3, p, ul, {_SHOWN})"):
        if block.name in ("h1", "h2", "h3"):
            heading, lead = block.decode_contents(), ""
        elif block.css.match(_SHOWN):
            if caption := block.find("figcaption"):
                lead = _END.split(caption.p.decode_contents())[0]
            slides.append(_slide(heading, lead, str(block), notes))
            lead = notes = ""
        else:
            notes += str(block)
            if block.name == "p" and not block.get_text()[0].islower():  # small: goes on
                lead = _END.split(block.decode_contents())[-1]
    slides.append(_slide("Two minutes", "", f"<p>{exercise}</p>", notes))
    slides.append(_slide("In one breath", "", f"<ul><li>{'<li>'.join(said)}</ul>"))
    made = _PAGE.format(head=soup.head.decode_contents(), slides="\n".join(slides))
    return article.h1.get_text(), made.replace('"../_', '"_')


def _slide(heading: str, lead: str, shown: str, notes: str = "") -> str:
    return f"""<section><h2>{heading}</h2>{lead and f"<p>{lead}</p>"}
<div class="shown">{shown}</div><aside class="notes">{notes}</aside></section>"""


def main(html: Path = HTML, folder: Path = FOLDER) -> None:
    """Write the deck of each chapter of a built book, and a page that lists them."""
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("_static", "_images"):
        shutil.copytree(html / name, folder / name, ignore=shutil.ignore_patterns("*.map"))
    (folder / "reveal").mkdir()
    package = files("sphinx_revealjs") / "_static" / "revealjs"
    for name in _REVEAL:
        (folder / "reveal" / Path(name).name).write_bytes((package / name).read_bytes())
    for ending in (".css", ".js"):
        shutil.copy(Path(__file__).with_suffix(ending), folder / "reveal")
    titles = []
    for page in sorted((html / "notebooks").glob("*.html")):
        title, made = deck(page.read_text(encoding="utf-8"))
        (folder / page.name).write_text(made, encoding="utf-8")
        titles.append(f'<li><a href="{page.name}">{title}</a></li>')
    (folder / "index.html").write_text(_INDEX.format("".join(titles)), encoding="utf-8")
    print(f"The slides are here: {folder / 'index.html'}")


_INDEX = """\
<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>From Recurrence to Attention: slides</title>
<body style="font: 1.2rem/1.6 system-ui, sans-serif; margin: 3rem auto; max-width: 40rem">
<h1>Slides</h1><ul>{}</ul>
<p>Arrows turn the slides, S opens the speaker's notes, F fills the screen, O shows all.</p>
"""
_PAGE = """\
<!DOCTYPE html>
<html lang="en" data-content_root="./" data-theme="light">
<head>{head}
<link rel="stylesheet" href="reveal/reveal.css">
<link rel="stylesheet" href="reveal/slides.css">
</head>
<body class="deck">
<div class="sbt-scroll-pixel-helper"></div>
<div class="reveal"><div class="slides bd-article">
{slides}
</div></div>
<script src="reveal/reveal.js"></script>
<script src="reveal/notes.js"></script>
<script src="reveal/slides.js"></script>
</body>
</html>
"""

if __name__ == "__main__":
    main()
