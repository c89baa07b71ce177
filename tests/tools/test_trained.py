"""The tag `trained` under nbval, with a real kernel: other numbers pass, all else must be equal."""

import os
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook, new_output

ROOT = Path(__file__).parents[2]

SETUP = """\
from IPython.display import HTML, SVG, display
def show(*texts):
    for text in texts:
        display(HTML(text))"""
TABLE = '<td class="cl-w" style="--w:{}">{}</td>'
FIGURE = '<div id="cl-chain-{}"><script>startFigure("cl-chain-{}", {{"w":{}}});</script></div>'


def printed(text):
    return [new_output("stream", name="stdout", text=f"{text}\n")]


def html(*texts):
    plain = "<IPython.core.display.HTML object>"
    return [new_output("display_data", {"text/html": t, "text/plain": plain}) for t in texts]


def svg(text):
    plain = "<IPython.core.display.SVG object>"
    return [new_output("execute_result", {"image/svg+xml": text, "text/plain": plain})]


def raised(text):
    return [new_output("error", ename="ValueError", evalue=text, traceback=[])]


# What a cell does, and the outputs that are stored of it; they differ by numbers alone.
NUMBERS = [
    ("print('loss 0.5, 12 of 50')", printed("loss 0.49, 9 of 50")),
    ("print('a 1e-05  5 %')", printed("a   0.002 5.1 %")),
    ("print('tensor([ 0.5, -1.0])')", printed("tensor([0.25, 1.])")),
    ("print('10⁻⁵, 1,200 updates')", printed("10⁻¹², 900 updates")),
    ("print('in 3f9c2a7b10')", printed("in a81c04e2ff")),
    (f"show({TABLE.format(0.4, 0.41)!r})", html(TABLE.format(0.61, 0.6))),
    (
        f"show({FIGURE.format(1, 1, [[0.1, -1e-9], [2.0]])!r})",
        html(FIGURE.format("e3b0c44298", "e3b0c44298", [[0.3, 0.11], [-2.5]])),
    ),
    ("show('<td>0.02</td><i>&nbsp;</i>')", html("<td></td><i>0.3</i>")),
    (f"show('<i>{'aQ9+' * 40}=</i>')", html(f"<i>{'b/3C' * 41}==</i>")),
    ("SVG('<svg><g/><g/></svg>')", svg("<svg><g/></svg>")),
    ("raise ValueError('got 3')", raised("got 4")),
]
# And by more than numbers.
MORE = [
    ("print('C01 holds: 0.5')", printed("C01 does not hold: 0.5")),
    ("print('C01 holds: 0.5')", printed("C02 holds: 0.5")),
    ("print('0.5 0.5')", printed("0.5 of 0.5")),
    ("print(0.5)", []),
    ("show('<b>a</b>')", html("<b>a</b>", "<b>a</b>")),
    ("print(0.5)", [new_output("execute_result", {"text/plain": "0.5"}, execution_count=1)]),
    ("show('<b>0.5</b>')", html("<td>0.5</td>")),
    ("show('a 1', 'b 1')", html("b 1", "a 1")),
    ("print('a'); show('b')", html("b") + printed("a")),
    (f"show({TABLE.format(0.4, 'die')!r})", html(TABLE.format(0.4, "der"))),
    ("raise ValueError('got 3')", raised("want 3")),
]
SAME = [(f"print({text!r})", printed(text)) for text in ("0.5", "C01 holds: 12 of 50")]
CHART = '<svg><path d="M {} 3.5" clip-path="url(#{})"/><text>{}</text></svg>'
# Coordinates of a chart may differ in any cell; its words and shapes only under the tag.
CHARTS = [
    (svg(CHART.format("66.615755 1 L 2", "p850a5936e6", "key")), True),
    (svg(CHART.format("66.615702", "p496ceadbbf", "value")), False),
]


def test_numbers_may_differ_under_the_tag_and_nothing_else_may(tmp_path):
    cells = [(SETUP, [], False, True)]
    cells += [(*cell, tagged, tagged) for cell in NUMBERS for tagged in (True, False)]
    cells += [(*cell, tagged, False) for cell in MORE for tagged in (True, False)]
    cells += [(*cell, tagged, True) for cell in SAME for tagged in (True, False)]
    drawn = f"SVG({CHART.format('66.615702', 'p496ceadbbf', 'key')!r})"
    cells += [(drawn, outputs, False, passes) for outputs, passes in CHARTS]
    notebook = new_notebook()
    for source, outputs, tagged, _ in cells:
        tags = ["trained"] * tagged + ["raises-exception"] * source.startswith("raise")
        cell = new_code_cell(source, outputs=outputs, execution_count=1, metadata={"tags": tags})
        notebook.cells.append(cell)
    nbformat.write(notebook, tmp_path / "cells.ipynb")
    # With workers, which have to change nbval as well.
    options = ["--nbval", "-n1", "-q", "--rootdir=.", "--junitxml=report.xml", "-p", "conftest"]
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    subprocess.run(
        [sys.executable, "-m", "pytest", *options, "cells.ipynb"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
    )
    cases = ET.parse(tmp_path / "report.xml").iter("testcase")
    passed = [case.find("failure") is None for case in cases]
    verdicts = zip((cell[0] for cell in cells), passed, strict=True)
    wanted = [(source, passes) for source, *_, passes in cells]
    assert list(verdicts) == wanted
