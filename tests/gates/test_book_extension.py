"""What our Sphinx extension makes of a page, on a small book that is built once."""

import base64
import io
import re
import zipfile

import nbformat
import pytest
from course_book import drawings, formulas
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from PIL import Image

from tools import book, ledger

MEASURED = (
    "loss 0.1\n[C05] holds: tanh 1e-7\n[C05] holds: GRU 1e-7\nlength  4    9\nCho     0.9  0.1\n"
)
FORMULAS = """\
## Formulas

Here stands $\\alpha_{ij}$.

| $\\alpha_{ij}$ | word |
|---|---|
| $a$ | one |

| | corner |
|---|---|
| row | 1 |

$$x = \\frac{1}{2}$$ (half)

$$
a &= b + c \\\\
  &= d
$$

It is {eq}`half`.
"""


DRAWN = """\
![Encoder and decoder](drawings/one_vector.png)
*Two nets and one vector $c$.*

The text shows it in {numref}`drawing-one-vector`, and beside it {numref}`dots`.
"""
DIRECTIVE = """\
# A page

{{ first }}, in {{ ch01 }} and {{ ch02 }}.

```{drawing} attention_decoder
:name: step
One step, as in {numref}`drawing-one-vector`.
```

```{drawing} attention_decoder
```
"""


def drew(**figure: str) -> nbformat.NotebookNode:
    """A cell that drew a red dot; the book gives it a caption."""
    picture = io.BytesIO()
    Image.new("RGB", (4, 4), "red").save(picture, "PNG")
    data = {"image/png": base64.b64encode(picture.getvalue()).decode(), "text/plain": "<dots>"}
    metadata = {"mystnb": {"figure": figure, "image": {"alt": "A dot."}}}
    output = new_output("display_data", data)
    return new_code_cell("dots", outputs=[output], execution_count=1, metadata=metadata)


THEMED = (
    '<svg xmlns="http://www.w3.org/2000/svg" class="course-figure" role="img" viewBox="0 0 9 9">'
    '<title>Line figure</title><path d="M0 0" style="fill:var(--course-ink,#1d2327)"/></svg>'
)


def in_both_ways(svg: str, **metadata: object) -> nbformat.NotebookNode:
    """A cell whose output is the same picture as SVG and as PNG."""
    data = drew().outputs[0].data
    output = new_output("display_data", {**data, "image/svg+xml": svg})
    return new_code_cell("both", outputs=[output], execution_count=1, metadata=metadata)


def printed(text: str, **metadata: object) -> nbformat.NotebookNode:
    output = new_output("stream", name="stdout", text=text)
    return new_code_cell("1", outputs=[output], execution_count=1, metadata=metadata)


def write_student(folder, points="_Points:_ 4"):
    """What students of a small homework get."""
    (folder / "tests").mkdir(parents=True)
    (folder / "tests" / "q1.py").write_text("points = 4\n")
    (folder / "tests" / "__pycache__").mkdir()
    (folder / "tests" / "__pycache__" / "q1.pyc").write_text("left behind by Python")
    cells = [
        new_markdown_cell("# Homework 91\n\n## Question 7 of another kind"),
        new_markdown_cell(f"## Question 1. A softmax over $S$\n\nBuild it.\n\n{points}"),
        new_markdown_cell("## Question 2: Read `maps`\n\n_Points:_ 1.5"),
        new_markdown_cell("## Submission"),
    ]
    nbformat.write(new_notebook(cells=cells), folder / "hw91_small.ipynb")


@pytest.fixture(scope="module")
def built(tmp_path_factory, copy_book_parts):
    """The HTML of each page of a small book, by name."""
    root = tmp_path_factory.mktemp("course")
    (root / "book").mkdir()
    (root / "notebooks").mkdir()
    copy_book_parts(root)
    cells = [
        new_markdown_cell("# 1. A chapter\n\nA question {cite:p}`elman1990finding`."),
        printed(MEASURED),
        printed("hidden\n", tags=["hide-cell"]),
        new_markdown_cell(FORMULAS),
        new_markdown_cell(DRAWN),
        drew(caption="The *dots*, one a sentence.", name="dots"),
        in_both_ways(THEMED),
        in_both_ways(THEMED.replace("9 9", "8 8"), mystnb={"image": {"alt": "It <rises>."}}),
        in_both_ways(THEMED.replace("course-figure", "another"), mystnb={"image": {"alt": "b"}}),
        new_markdown_cell("## Exercises\n\n**1.** Double it."),
        printed("solved\n", tags=["hide-cell"]),
    ]
    python = {"language_info": {"name": "python"}}
    nbformat.write(
        new_notebook(cells=cells, metadata=python), root / "notebooks" / "01_chapter.ipynb"
    )
    toc = "format: jb-book\nroot: book/index\nchapters:\n"
    toc += "".join(
        f"  - file: {name}\n"
        for name in ("notebooks/01_chapter", "book/claims", "book/bib", "book/homework")
    )
    write_student(root / "homework" / "hw91_small" / "student")
    for name, text in {
        "_toc.yml": toc,
        "book/index.md": DIRECTIVE,
        "book/claims.md": f"# Ledger\n\n{ledger.BEGIN}\n\n{ledger.END}\n",
        "book/homework.md": "# Homework\n\n```{homework} hw91_small\n```\n",
        "book/bib.md": "# Papers\n\n```{bibliography}\n:all:\n:style: plain\n```\n",
    }.items():
        (root / name).write_text(text, encoding="utf-8")
    ledger.write(root)
    html = book.build(root).parent
    found = {path.stem: path.read_text(encoding="utf-8") for path in html.glob("*/*.html")}
    (archive,) = html.rglob("hw91_small.zip")
    return found | {"archive": archive.read_bytes()}


def test_a_verdict_is_one_box_with_claim_source_figure_and_a_place_of_its_own(built):
    page = built["01_chapter"]
    boxes = re.findall(
        r'<div class="claim verdict holds admonition" id="([^"]+)">(.*?)</div>', page, re.DOTALL
    )
    assert [place for place, _ in boxes] == ["claim-c05", "claim-c05-2"]
    first = boxes[0][1]
    assert '<p class="admonition-title">' in first
    assert 'href="../book/claims.html#ledger-c05"' in first
    assert '<strong class="verdict-word">holds</strong>' in first
    text = re.sub(r"<[^>]*>", "", first)
    assert "An unrolled recurrent net is a deep net" in text
    assert "Measured: tanh 1e-7" in text
    assert '<span class="together">1e-7</span>' in first
    assert "Said in Attention" in text
    assert "004" not in text
    assert "[C05] holds" not in page


def test_formulas_are_in_the_page_and_keep_their_tex(built):
    page = built["01_chapter"]
    inline, block = (
        re.findall(rf'<{tag} class="math [^>]*>\s*<math.*?</math>', page, re.DOTALL)
        for tag in ("span", "div")
    )
    assert len(inline) == 4
    assert len(block) == 2
    assert "<mfrac>" in block[0]
    assert ">\\alpha_{ij}</annotation>" in inline[0]
    assert re.search(
        r'<span class="together"><span class="math(?:(?!</math>).)*</math></span>\.<', page
    )
    assert "MathJax" not in page
    assert not re.search(r"<script[^>]*mathjax", page)


def figures(page: str) -> dict[str, str]:
    """Each figure of a page by its name."""
    return dict(re.findall(r'<figure[^>]* id="([^"]+)">(.*?)</figure>', page, re.DOTALL))


def test_a_drawing_stands_in_the_page_itself_with_its_words(built):
    drawn = figures(built["01_chapter"])["drawing-one-vector"]
    svg = re.search(r"<svg.*?</svg>", drawn, re.DOTALL)[0]
    assert 'role="img"' in svg
    assert "<title" in svg
    assert "<desc" in svg
    assert "one_vector.svg" not in built["01_chapter"]
    assert "prefers-color-scheme" not in svg
    # Without a caption it has a name and no number.
    assert "figcaption" not in figures(built["index"])["drawing-attention-decoder"]


def test_a_figure_of_ours_stands_in_the_page_as_svg_and_not_as_an_image(built):
    page = built["01_chapter"]
    first, told = re.findall(r'<svg [^>]*class="course-figure".*?</svg>', page, re.DOTALL)
    assert first == THEMED
    assert told.startswith('<svg aria-label="It &lt;rises&gt;." xmlns')
    # The drawing of somebody else stays an image; the PNG beside either is not shown.
    images = re.findall(r'<img[^>]* src="([^"]*_images[^"]*)"', page)
    assert [name.rsplit(".")[-1] for name in images] == ["png", "svg"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("![a](drawings/two.png)\n", "there is no drawing 'two'; there are: .*unrolled"),
        ("![a](drawings/one_vector.png)\nIt is not in italics.\n", "its caption in italics"),
        ("```{drawing} two\n```\n", "there is no drawing 'two'; there are: .*unrolled"),
    ],
)
def test_a_drawing_that_is_wrong_is_told_with_its_place(sphinx, text, said):
    files = {f"drawings/{name}.svg": "<svg/>" for name in ("one_vector", "two")}
    _, warned = sphinx({"index.md": f"# A page\n\n{text}", **files}, drawings)
    assert re.search(rf"index\.md:3: WARNING: .*{said}", warned)


def test_a_formula_that_is_none_is_told_with_its_place(sphinx):
    text = "# A page\n\nHere is $\\nonsense{x}$.\n"
    page, said = sphinx({"index.md": text}, formulas, html_math_renderer="course")
    assert re.search(r"index\.md:3: WARNING: formula '.*nonsense", said)
    assert "<code>\\nonsense{x}</code>" in page


def test_a_homework_shows_its_questions_and_its_files(built):
    page = built["homework"]
    table = re.search(r'<table class="[^"]*homework.*?</table>', page, re.DOTALL)[0]
    rows = re.findall(r"<tr.*?</tr>", table, re.DOTALL)
    texts = [re.sub(r"<[^>]*>|\s+", " ", row).split() for row in rows]
    assert texts[1][:4] == ["1", "A", "softmax", "over"]
    assert texts[1][-1] == "4"
    assert texts[2] == ["2", "Read", "maps", "1.5"]
    assert texts[3] == ["together", "5.5"]
    assert len(texts) == 4
    assert "math notranslate" in rows[1]
    assert re.search(r'<a class="reference download[^>]*href="[^"]*hw91_small\.zip"', page)
    with zipfile.ZipFile(io.BytesIO(built["archive"])) as packed:
        assert packed.namelist() == ["hw91_small/hw91_small.ipynb", "hw91_small/tests/q1.py"]
