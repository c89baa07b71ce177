"""What all figures to touch share: the same bytes, no foreign markup, no network, readable ink."""

import ast
import inspect
import json
import re
from importlib.resources import files

import pytest

from course_lab.experiments.at_scale import in_page as costs
from course_lab.experiments.bahdanau import in_page
from course_lab.experiments.decoding import tree
from course_lab.experiments.gpt import in_page as gpt
from course_lab.experiments.multi_head import in_page as switches
from course_lab.experiments.real import in_page as real
from course_lab.experiments.self_attention import in_page as asking
from course_lab.experiments.transformer import in_page as writing
from course_lab.figures.bare import bare, declared, used
from course_lab.figures.touch.attention import AttentionExample, attention_explorer
from course_lab.figures.touch.chain import unrolled_chain
from course_lab.figures.touch.core import Interactive, web_file
from course_lab.figures.touch.dials import Dials
from course_lab.figures.touch.em import em_steps
from course_lab.figures.touch.forecast import forecast
from course_lab.figures.touch.glances import Look, Scene, glances
from course_lab.figures.touch.heat import HeatedDocument, document_heat
from course_lab.figures.touch.length import length_explorer
from course_lab.figures.touch.lookup import soft_lookup
from course_lab.figures.touch.nextword import Place, next_word
from course_lab.figures.touch.plane import attention_plane
from course_lab.figures.touch.posteriors import posterior_explorer
from course_lab.figures.touch.rows import attention_rows
from course_lab.figures.touch.scale import scale_laboratory
from course_lab.figures.touch.squeeze import Odds, squeeze
from course_lab.figures.touch.stack import Station, follow
from course_lab.figures.touch.swap import Intervention, swap
from course_lab.figures.touch.tape import growing_tape
from course_lab.figures.touch.translator import translator
from course_lab.figures.touch.unfold import DecoderStep, unfold
from course_lab.figures.touch.verdict import Menus, verdict
from course_lab.figures.touch.window import WindowExample, sliding_window
from course_lib.alignment.ibm1 import IBMModel1

CARRIED = '.b{c:"/* d */"}\n.e{f:url(//g)}'
EVIL = '</script><img src=x onerror="alert(1)">&'


def figures(word: str = "house") -> dict[str, Interactive]:
    return {
        "chain": unrolled_chain({word: {"× 1": [1.0, 0.5], word: [1.0, 40.0]}}, [0, 10]),
        "length": length_explorer(
            [(1, 2), (3, 9)], {word: [[0.5, 0.25], [0.75, 0.0]]}, choose=word, y_name=word
        ),
        "em": em_steps(
            [(["the", word], ["das", word])],
            [[[[0.5, 0.5], [0.5, 0.5]]], [[[0.9, 0.1], [0.2, 0.8]]]],
            [-4.0, -3.0],
        ),
        "plane": attention_plane(["the", word], [[1.0, 0.0], [0.0, 1.0]], [0.5, 0.5]),
        "rows": attention_rows(["the", word], [[1.0, 0.0], [0.0, 1.0]], [0.5, 0.5]),
        "attention": attention_explorer(
            [AttentionExample(["the", word], [word], [[0.0, 2.0]], {(1, 0)}, title=word)]
        ),
        "posteriors": posterior_explorer(
            [AttentionExample(["the", word, "NULL"], [word], [[0.0, 0.75, 0.25]], {(1, 0)})]
        ),
        "lookup": soft_lookup(
            ["the", word, "."],
            [[0.0, 1.0], [1.0, 0.0], [-1.0, 0.0]],
            [[0.0, 1.0], [1.0, 0.0], [-1.0, 0.0]],
            [0.5, 0.5],
            [1.5, 1.5],
        ),
        "scale": scale_laboratory(
            [1, 256], [[[1.0, -1.0], [16.0, -16.0]]], {"without": [0.3, 0.01], "with": [0.3, 0.3]}
        ),
        "stack": follow(
            {"source": ["the", word], "target": [word]},
            [Station(word, "target", "2 scores", "{word}", "there", guesses=[[(word, 0.5, 1.0)]])],
            chosen={"source": 0, "target": 0},
            opened=0,
        ),
        "swap": swap(
            [["the", word], ["the", "dog"]],
            1,
            word,
            [
                Intervention(word, word, [word, "die"], [[0.5, 0.5], [0.0, 1.0]]),
                Intervention("other", word, ["das", "die"], [[0.5, 0.5], [0.0, 1.0]], 1, 0),
            ],
        ),
        "window": sliding_window(
            [WindowExample(["the", word], [word], [[0, -9]], [0.5], [(1, 0)], [word])]
        ),
        "glances": glances(
            [Scene([[0.0, 1.0]] * 2, [Look(7, 1, [0.5, 0.5], 3, [0.5, 0.5], [0.0, -1.0], [1, 7])])],
            2,
            [0.25, 0.75],
        ),
        "unfold": unfold(
            ["the", word], [DecoderStep("", [0.0], [0.25, 0.75], [0.0], [0.5], [(word, 0.5)])], {}
        ),
        "verdict": verdict(
            b"",
            ["∅", word],
            Menus({"who": (word,)}, (0,), (0,)),
            ["yes", "no"],
            premise=["∅", word],
            hypothesis=["∅", word],
            weights=[[0.5, 0.5], [1.0, 0.0]],
            shares=[0.75, 0.25],
        ),
        "heat": document_heat(
            [
                HeatedDocument(
                    word,
                    [["the", word], ["dog"]],
                    [0.75, 0.25],
                    [[0.5, 0.5], [1.0]],
                    [0.875, 0.125],
                    [[0.5, 0.5], [0.75, 0.25]],
                    [[[0.5, 0.5], [0.25, 0.75]], [[0.5, 0.5]]],
                )
            ],
            [word, "other"],
            question=f"{word}?",
        ),
        "forecast": forecast(
            b"",
            ["<s>", word, "."],
            {"": {word: 0.75}},
            {1.0: [f"{word} ."]},
            sums={f"{word}!": [word]},
            stop=".",
            most=4,
        ),
    }


KINDS = sorted(figures())
SPOKEN = [kind for kind in KINDS if kind not in ("glances", "scale")]
"""Those that are given words."""


def told(html: str) -> dict:
    """The data that the script is given."""
    (data,) = re.findall(r"^startFigure\(\"[\w-]+\",\w+,(.*)\);$", html, flags=re.MULTILINE)
    return json.loads(data)


@pytest.mark.parametrize("kind", SPOKEN)
def test_words_that_are_markup_stay_words(kind):
    html = figures(EVIL)[kind]._repr_html_()
    assert "<img" not in html
    assert html.count("</script>") == html.count("<script>") == 1
    assert "&lt;/script&gt;&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;" in html
    assert EVIL in json.dumps(told(html), ensure_ascii=False).replace('\\"', '"')


@pytest.mark.parametrize("kind", KINDS)
def test_a_figure_asks_for_nothing(kind):
    html = figures()[kind]._repr_html_().replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?:|//\w|\bimport\b|fetch\(|url\(|src=", html)


@pytest.mark.parametrize("kind", KINDS)
def test_the_table_stands_before_the_script_and_has_a_caption_and_heads(kind):
    html = figures()[kind]._repr_html_()
    before = html[: html.index("<script>")]
    for part in ("<table><caption><span>", '<th scope="col">', '<th scope="row"', "</td>"):
        assert part in before


def test_every_web_file_is_shipped_and_used():
    tape = growing_tape({"a b": [[], [1.0], [0.3, 0.7]]}, "start")
    stored = (in_page, switches, asking, tree, costs, gpt)
    every = [*figures().values(), *(module.show() for module in stored), tape]
    every.append(writing.translator({}))
    every.append(translator(b"", real.WAYS, real.stored(), layers=1, heads=1, at=0))
    every.append(next_word(["b"], [Place([], [0.0])], {}, dials=Dials(1.0, 1, 1.0), opened=0))
    odds = [Odds([("b", 1.0)], 1.0)]
    pairs = [(["a"], ["b"])]
    every.append(squeeze(b"", pairs, {}, words=["a"], written=["b"], odds=odds, vector=[0.5]))
    html = "".join(figure._repr_html_() for figure in every)
    beside = files("course_lab.figures.touch").iterdir()
    names = [path.name for path in beside if path.suffix in (".js", ".css")]
    assert {"core.js", "core.css"} <= set(names)
    for name in names:
        if name.endswith(".css"):
            assert web_file(name) in html, name
        else:
            text = files("course_lab.figures.touch").joinpath(name).read_text(encoding="utf-8")
            unused = [one for one in declared(text) if not re.search(rf"\b{one}\b", html)]
            assert unused == [], name


def test_a_script_goes_without_what_it_never_names():
    text = "// b\nconst a = 1;\nfunction b() {\n  return a;\n}\nconst [c, D_E] = [2, 3];\n"
    assert used(text, ["b"]) == "\nconst a = 1;\nfunction b() {\n  return a;\n}\n"
    assert used(text, ["D_E"]) == "\nconst [c, D_E] = [2, 3];\n"
    assert "function choose" not in figures()["plane"]._repr_html_()


@pytest.mark.parametrize(
    ("kind", "text", "told"),
    [
        (".js", "// one\n\n  a();  // two\n  /* three\n  four */ b();\n", "a();\nb();"),
        (".js", "f(a /* one */, b) /* two */;", "f(a,b);"),
        (".js", "return/* one */x;", "return x;"),
        (".js", "a = \"// '\" + '/* \\' */' + \"//\"; // b", "a=\"// '\" + '/* \\' */' + \"//\";"),
        (
            ".js",
            "a = `// ${b ? `/*${c}*/` : {d: `//`}.d} //`; // e",
            "a=`// ${b ? `/*${c}*/` : {d: `//`}.d} //`;",
        ),
        (".js", "a = /[/*\"]'\\/\\//g; b = c / d; // e / f", "a= /[/*\"]'\\/\\//g;b=c / d;"),
        (".js", "return /\"/.test(a) ? b / 2 : '//'; // c", "return /\"/.test(a)?b / 2:'//';"),
        (".css", '/* a */\n.b { c: "/* d */" }\n\n  .e { f: url(//g) } /* h\n */\n', CARRIED),
    ],
)
def test_what_a_figure_carries_of_its_files(kind, text, told):
    assert bare(text, kind) == told


@pytest.mark.parametrize(
    "function", [attention_explorer, document_heat, em_steps, length_explorer, unrolled_chain]
)
def test_the_example_in_the_docstring_runs(function):
    lines = inspect.getdoc(function).split("\nArgs:")[0].splitlines()
    example = "\n".join(line[4:] for line in lines if line.startswith("    "))
    *before, last = ast.parse(example).body
    names = {**vars(inspect.getmodule(function)), "IBMModel1": IBMModel1}
    exec(compile(ast.Module(before, []), "docstring", "exec"), names)
    figure = eval(compile(ast.Expression(last.value), "docstring", "eval"), names)
    assert isinstance(figure, Interactive)
