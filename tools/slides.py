"""A deck of slides for each chapter, made of the built page: nothing is written twice.

A slide is a figure, a table, formulas or a cell of code, under the first sentences of what leads to
it; the paragraphs are the speaker's notes. A cell tagged `no-slide` is left out. `_build/slides`
holds all that a deck needs. reveal.js comes with the package sphinx-revealjs.
"""

import copy
import re
import shutil
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from bs4 import BeautifulSoup, NavigableString, Tag

from tools import HTML

FOLDER = HTML.with_name("slides")
_REVEAL = ("dist/reveal.css", "dist/reveal.js", "plugin/notes/notes.js", "LICENSE")
_LEAD = 3  # sentences on a slide, at most; more are in the notes alone
_END = re.compile(r"(?<=[.?!])\s")
_LINES = 20  # of code on one slide: short cells that follow one another share one


class Deck:
    """The slides of one page as they come, and the text that waits for the next exhibit."""

    def __init__(self, page: str) -> None:
        self.page = BeautifulSoup(page, "lxml")
        self.title = self.page.h1.get_text().rstrip("#")
        self.slides: list[Tag] = []
        self.text: list[Tag] = []
        self.formulas: list[Tag] = []
        self.lines, self.heading = 0, ""
        self.bare = False

    def html(self) -> str:
        """The deck: the page's own head, and its slides instead of its body."""
        article = self.page.select_one("article > section")
        for extra in article.select("a.headerlink, details.above-input"):
            extra.decompose()
        for link in article.select("a:not([href^=http])"):
            link.unwrap()
        self._section(article, "")
        head = self.page.head
        for early in head.find_all("link", rel="preload"):
            early.decompose()  # what a page loads early, a deck does not use at all
        for name in ("reveal.css", "slides.css"):
            head.append(self.page.new_tag("link", rel="stylesheet", href=f"reveal/{name}"))
        made = _PAGE.format(head=head.decode(), slides="".join(map(str, self.slides)))
        return made.replace("../_static/", "_static/").replace("../_images/", "_images/")

    def _section(self, section: Tag, title: str) -> None:
        heading = section.find(["h1", "h2", "h3"], recursive=False)
        if heading:
            title = heading.decode_contents()
        if heading and heading.name == "h1":
            self._title(section, title)
        for child in section.find_all(recursive=False):
            if child is heading:
                continue
            if child.name == "section":
                self._flush(title)
                below = child.find(["h2", "h3"]).get_text(strip=True)
                if below == "Exercises":
                    self._exercise(child)
                elif below == "In one breath":
                    self._breath(child)
                    return
                else:
                    self._section(child, title)
            elif child.name in ("p", "ul"):
                self.text.append(child)
                if self.bare:
                    self._lead_after(child)
            elif "math" in child.get("class", ()):
                self.formulas.append(child)
            else:
                for exhibit in _exhibits(child):
                    self._slide(title, exhibit)
        self._flush(title)

    def _title(self, section: Tag, title: str) -> None:
        """The title and the question of the chapter."""
        question = section.find("p", recursive=False)
        said = copy.copy(question)
        question.extract()
        self._add(f"<h1>{title}</h1>{said}<p>From Recurrence to Attention</p>", [])

    def _slide(self, title: str, exhibit: Tag) -> None:
        lead = "".join(_lead(self.text))
        if self.formulas:  # a slide of their own
            self._add(f"<h2>{title}</h2>{lead}{''.join(map(str, self.formulas))}", self.text)
            self.text, self.formulas, self.lines, lead = [], [], 0, ""
        if exhibit.name == "span":
            return
        shown = f"{lead}{exhibit}"
        lines = _lines(exhibit)
        if lines and self.lines and self.lines + lines <= _LINES and self.heading == title:
            self.lines += lines
            for made in BeautifulSoup(shown, "html.parser").find_all(recursive=False):
                self.slides[-1].select_one("aside").insert_before(made)
            self._note(self.text)
        else:
            self._add(f"<h2>{title}</h2>{shown}", self.text)
            self.lines, self.heading = lines, title
            self.bare = not lead and len(self.slides) == 2
        self.text = []

    def _lead_after(self, text: Tag) -> None:
        """What follows a chapter's first figure, if nothing led to it."""
        lead = BeautifulSoup("".join(_lead([text])), "html.parser")
        self.slides[-1].h2.insert_after(lead)
        self.bare = False

    def _note(self, text: list[Tag]) -> None:
        """More for the speaker to say at the last slide."""
        self.slides[-1].select_one("aside").extend(map(copy.copy, text))

    def _flush(self, title: str) -> None:
        """What no exhibit followed: formulas are a slide, text alone is said by the speaker."""
        if self.formulas or not self.slides:
            self._slide(title, self.page.new_tag("span"))
        elif self.text:
            self._note(self.text)
        self.text, self.formulas = [], []

    def _exercise(self, section: Tag) -> None:
        """The first one, of two minutes, for the room."""
        self._add(f"<h2>Two minutes</h2>{section.find('p')}", [])

    def _breath(self, section: Tag) -> None:
        said = "".join(f"<li>{part}</li>" for p in section.find_all("p") for part in _sentences(p))
        self._add(f"<h2>In one breath</h2><ul>{said}</ul>", [])

    def _add(self, inner: str, notes: list[Tag]) -> None:
        said = "".join(map(str, notes))
        made = BeautifulSoup(
            f'<section>{inner}<aside class="notes">{said}</aside></section>', "html.parser"
        )
        self.slides.append(made.section)


def _exhibits(child: Tag) -> Iterator[Tag]:
    """What of a block a slide can show: a figure, a table, code; not folds, boxes and solutions."""
    kinds = set(child.get("class", ()))
    if kinds & {"tag_hide-cell", "tag_no-slide", "admonition"} or child.name == "details":
        return
    if "cell" not in kinds:
        if child.name in ("figure", "ol", "blockquote") or child.find(["table", "figure"]):
            yield child
        return
    code = child.find("div", class_="cell_input", recursive=False)
    output = child.find("div", class_="cell_output", recursive=False)
    if code or (output and output.find(["figure", "table", "img", "svg"])):
        yield child


def _lines(exhibit: Tag) -> int:
    """The lines of code and of its output in a cell that shows nothing else; otherwise 0."""
    if exhibit.find(["figure", "table", "img", "svg"]):
        return 0
    return sum(len(pre.get_text().strip().splitlines()) for pre in exhibit.find_all("pre"))


def _lead(text: list[Tag]) -> Iterator[str]:
    """The first sentences of the last paragraphs before an exhibit."""
    # What begins small goes on after a formula.
    for block in [block for block in text if not block.get_text()[:1].islower()][-_LEAD:]:
        if block.name == "p":
            yield f"<p>{next(_sentences(block))}</p>"
        else:
            yield str(block)


def _sentences(paragraph: Tag) -> Iterator[str]:
    """A paragraph's sentences with their marks; an end inside a mark is not seen."""
    said = ""
    for node in paragraph.children:
        if not isinstance(node, NavigableString):
            said += str(node)
            continue
        first, *rest = _END.split(str(node).replace("&", "&amp;").replace("<", "&lt;"))
        said += first
        for part in rest:
            if said.strip():
                yield said.strip()
            said = part
    if said.strip():
        yield said.strip()


def main(html: Path = HTML, folder: Path = FOLDER) -> None:
    """Write the deck of each chapter of a built book, and a page that lists them."""
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("_static", "_images"):
        shutil.copytree(html / name, folder / name, ignore=shutil.ignore_patterns("*.map"))
    (folder / "reveal").mkdir()
    package = files("sphinx_revealjs") / "_static" / "revealjs"
    for name in _REVEAL:
        (folder / "reveal" / Path(name).name).write_bytes((package / name).read_bytes())
    shutil.copy(Path(__file__).with_suffix(".css"), folder / "reveal")
    titles = []
    for page in sorted((html / "notebooks").glob("*.html")):
        deck = Deck(page.read_text(encoding="utf-8"))
        (folder / page.name).write_text(deck.html(), encoding="utf-8")
        titles.append(f'<li><a href="{page.name}">{deck.title}</a></li>')
        print(f"{page.stem}: {len(deck.slides)} slides")
    (folder / "index.html").write_text(_INDEX.format("".join(titles)), encoding="utf-8")


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
{head}
<body class="deck">
<div class="sbt-scroll-pixel-helper"></div>
<div class="reveal"><div class="slides">
{slides}
</div></div>
<script src="reveal/reveal.js"></script>
<script src="reveal/notes.js"></script>
<script>
// reveal.js would scale a slide by a transform, and a figure in it would be dragged wrongly: what a
// slide shows is zoomed instead, as far as it fits.
const fit = () => {{
  const slide = Reveal.getCurrentSlide();
  const whole = box => box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth;
  for (let zoom = 2.6; zoom > 0.35; zoom -= 0.1) {{
    slide.style.setProperty("--zoom", zoom);
    if ([slide, ...slide.querySelectorAll("pre")].every(whole)) return;
  }}
}};
// A figure is drawn when it is seen, and grows when a reader opens something, but not under a drag.
const sizes = new ResizeObserver(() => {{
  if (!document.querySelector(".cl-fig :active")) fit();
}});
addEventListener("pointerup", fit);
const watch = () => {{
  sizes.disconnect();
  for (const shown of Reveal.getCurrentSlide().children) sizes.observe(shown);
}};
Reveal.on("slidechanged", watch);
Reveal.on("ready", watch);
addEventListener("resize", fit);
Reveal.initialize({{
  hash: true, disableLayout: true, transition: "none", plugins: [RevealNotes],
  // A key that a figure's own control takes turns no page.
  keyboardCondition: event => !document.activeElement?.closest(".cl-fig"),
}});
</script>
</body>
</html>
"""

if __name__ == "__main__":
    main()
