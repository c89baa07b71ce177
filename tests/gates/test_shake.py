"""`make shake` itself: conditions, the nudge, what a cell depends on, and what is kept."""

import importlib
import json
import subprocess
import sys

import pytest

from course_lab.experiments.lab.stored import load_stored
from tools.inputs import meaning
from tools.inputs.cells import cell_meaning
from tools.notebooks.text import from_text
from tools.project import TaskError
from tools.shake import again, registry
from tools.shake import run as module
from tools.shake import subjects as subjects_module
from tools.shake.conditions import ALL, LEAST, NUDGES, Condition, conditions, environment
from tools.shake.depends import fingerprints
from tools.shake.notebook import execute
from tools.shake.record import Made, Record, load, path_of, save
from tools.shake.registry import REGISTRY, Stored
from tools.shake.subjects import AGAIN, Experiment, again_name, chosen, subjects

NUDGED = """
import torch
torch.manual_seed(0)
net = torch.nn.Linear(3, 3, bias=False)
before = net.weight.detach().clone()
torch.optim.SGD(net.parameters(), lr=1.0)
once = net.weight.detach().clone()
torch.optim.Adam(net.parameters())
print(bool((once == net.weight).all()), *(once / before - 1).flatten().tolist())
"""


def nudge(setting):
    variables = environment(Condition("nudged", {"COURSE_NUDGE": setting} if setting else {}))
    done = subprocess.run(
        [sys.executable, "-c", NUDGED], env=variables, capture_output=True, text=True, check=True
    )
    again, *moved = done.stdout.split()
    assert again == "True"  # a second optimiser moves nothing
    return [float(value) for value in moved]


def test_a_nudge_moves_first_weights_a_little_and_always_alike():
    moved = nudge("1e-3:1")
    assert 3e-4 < max(map(abs, moved)) < 4e-3
    assert min(map(abs, moved)) > 0
    assert moved == pytest.approx(nudge("1e-3:1"))
    assert moved != pytest.approx(nudge("1e-3:2"))
    assert not any(nudge(""))


def test_every_processor_has_conditions_enough(monkeypatch):
    import torch

    for machine, best in (("aarch64", "DEFAULT"), ("x86_64", "AVX2"), ("x86_64", "AVX512")):
        monkeypatch.setattr("platform.machine", lambda machine=machine: machine)
        monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda best=best: best)
        found = conditions()
        assert len(found) >= LEAST
        assert ("AVX-512" in [c.name for c in found]) == (best == "AVX512")


def test_a_condition_takes_out_what_the_shell_set_for_another():
    base = {"MKL_CBWR": "AVX2", "COURSE_NUDGE": "1e-6:1", "HOME": "/", "PYTHONPATH": "here"}
    first = environment(ALL[0], base)
    assert "MKL_CBWR" not in first
    assert "COURSE_NUDGE" not in first
    assert first["HOME"] == "/"
    assert first["PYTHONPATH"].endswith("here")
    assert first["PYTHONPATH"].startswith(str(NUDGES))
    assert environment(ALL[1], base)["MKL_CBWR"] == "COMPATIBLE"


@pytest.mark.parametrize(
    ("earlier", "changed", "matters"),
    [
        ("x = 1", "x = 2", True),
        ("y = 1", "y = 2", False),
        ("x.a = 1", "x.a = 2", True),
        ("x['a'] = 1", "x['a'] = 2", True),
        ("x.append(1)", "x.append(2)", True),
        ("def x(): return 1", "def x(): return 2", True),
        ("from a import x", "from b import x", True),
        ("print(x)", "print(x, x)", False),
        ("%matplotlib inline\nx = 1", "%matplotlib inline\nx = 2", True),
        ("not Python", "still not Python", False),
        ("x = 1", "# one\nx: int = (1)", False),
        ("%matplotlib inline\nx = 1", "%matplotlib inline\nx = 1  # one", False),
        ("def x(): return 1", "def x() -> int:\n    'one'\n    return 1", False),
        ("from course_lib.a import x", "from course_lab.b import x", False),
        ("from course_lib import a as x", "from course_lab import b as x", False),
        ("import course_lib.a.c as x", "import course_lab.b.c as x", False),
        ("from course_lib.ab import x", "from course_lab.bb import x", True),
    ],
)
def test_what_a_cell_depends_on(earlier, changed, matters, monkeypatch):
    monkeypatch.setattr(meaning, "MOVED", {"course_lib.a": "course_lab.b"})
    cell_meaning.cache_clear()
    rest = ["z = x", "print(z)"]
    assert (fingerprints([earlier, *rest])[2] != fingerprints([changed, *rest])[2]) is matters


def test_a_cell_does_not_depend_on_what_follows():
    assert fingerprints(["x = 1"])[0] == fingerprints(["x = 1", "x = 2"])[0]


class Subject:
    """Counts how often it was made, and fails where it is told to."""

    name, conditions = "made.json", None
    arguments = ("made",)
    stored = ()

    def __init__(self):
        self.made, self.fails, self.code = [], "", "1"

    def __str__(self):
        return "made"

    def stamp(self):
        return self.code

    def reads(self):
        return self.stored

    def after(self, record):
        return self

    def left(self):
        return 0

    def lacks(self):
        return ""

    def part(self, number):
        return []

    def make(self, number, variables, folder):
        if number == self.fails:
            raise TaskError("the net burst")
        self.made.append(number)
        return number

    def parts(self, found):
        return [Made(name, {"value": number}) for name, number in found.items()]

    def more(self, parts, *, finished):
        return {"turns": int(finished)}


class TestRun:
    @pytest.fixture
    def subject(self, monkeypatch, tmp_path):
        subject = Subject()
        monkeypatch.setattr(module, "KEPT", tmp_path / "kept")
        monkeypatch.setattr(module, "subjects", lambda: [subject])
        return subject

    def test_each_condition_is_made_and_written_down(self, subject, tmp_path, capsys):
        module.shake(root=tmp_path)
        names = [condition.name for condition in conditions()]
        record = load(path_of("made.json", tmp_path))
        assert record.conditions == tuple(names)
        assert [part.condition for part in record.parts] == names
        assert f"made: 1 of {len(names)}, as it is" in capsys.readouterr().out

    def test_what_did_not_change_is_not_made_again(self, subject, tmp_path, capsys):
        module.shake(root=tmp_path)
        count = len(subject.made)
        module.shake(root=tmp_path)
        assert len(subject.made) == count
        assert "unchanged since it was shaken" in capsys.readouterr().out
        subject.code = "2"
        module.shake(root=tmp_path)
        assert len(subject.made) == 2 * count

    @pytest.mark.parametrize(("left", "rounds"), [((3, 2, 1, 0), 3), ((3, 2, 2), 2)])
    def test_it_goes_on_while_fewer_settings_are_left(self, subject, tmp_path, left, rounds):
        """A command that does not make what it is asked for is not asked for ever."""
        count = len(conditions())
        subject.left = lambda: left[min(len(subject.made) // count, len(left) - 1)]
        subject.part = lambda number: [str(len(subject.made) // count)]
        module.shake(root=tmp_path)
        assert len(subject.made) == rounds * count

    def test_an_interrupted_run_keeps_what_is_finished(self, subject, tmp_path):
        first, second, third = [c.name for c in conditions()][:3]  # as this processor has them
        subject.fails = 2
        with pytest.raises(TaskError, match=f"made under {third}: the net burst"):
            module.shake(root=tmp_path)
        assert load(path_of("made.json", tmp_path)).conditions == (first, second)
        assert load(path_of("made.json", tmp_path)).turns == 0
        subject.fails = ""
        module.shake(root=tmp_path)
        assert load(path_of("made.json", tmp_path)).turns == 1
        assert sorted(subject.made) == sorted(set(subject.made))

    def test_code_that_changes_meanwhile_is_noticed(self, subject, tmp_path, monkeypatch):
        def make(number, variables, folder):
            subject.code = "2"

        monkeypatch.setattr(subject, "make", make)
        with pytest.raises(TaskError, match="code changed while it was shaken"):
            module.shake(root=tmp_path)

    def test_a_subject_may_do_with_few(self, subject, tmp_path):
        subject.conditions = 2
        module.shake(root=tmp_path)
        two = tuple(c.name for c in conditions()[:2])
        assert load(path_of("made.json", tmp_path)).conditions == two
        module.shake(root=tmp_path)
        assert subject.made == [0, 1]

    def test_what_lacks_its_corpus_is_left_alone_and_said(
        self, subject, tmp_path, capsys, monkeypatch
    ):
        other = Subject()
        other.lacks = lambda: "sick"
        monkeypatch.setattr(module, "subjects", lambda: [other, subject])
        module.shake(root=tmp_path)
        assert not other.made
        assert subject.made
        assert "made: left alone, for want of the data 'sick'" in capsys.readouterr().out

    def test_an_unknown_name_is_refused(self, subject):
        with pytest.raises(TaskError, match="nothing to shake is called 'mode'; there are: made"):
            module.shake(["mode"])


def test_chapters_and_experiments_are_called_by_short_names():
    there = subjects()
    assert [str(s) for s in chosen(["04", "bottleneck"], there)] == [
        "bahdanau/bottleneck.json",
        "04_bahdanau",
    ]
    assert not {stored.file for stored in REGISTRY if stored.needs} & {str(s) for s in there}


def test_an_experiment_on_real_data_says_which_is_missing(tmp_path, monkeypatch):
    monkeypatch.setenv("COURSE_DATA", str(tmp_path))
    monkeypatch.setattr("course_lib.data.corpora.download.cache_folder", lambda: tmp_path / "cache")
    lacking = {str(s): s.lacks() for s in subjects() if s.lacks()}
    assert lacking == {stored.file: stored.data for stored in REGISTRY if stored.data}
    assert set(lacking.values()) == {"hansards", "multi30k", "reviews", "sick"}
    stored = next(s for s in REGISTRY if s.data == "sick")
    monkeypatch.setattr("course_lib.data.corpora.download.at_hand", {"sick": True}.get)
    assert not Experiment(stored).lacks()


def test_every_cell_is_run_even_after_one_that_fails(project):
    text = "```{code-cell} ipython3\n"
    project.text.write_text(
        project.text.read_text(encoding="utf-8").split(text)[0]
        + "".join(
            f"{text}{code}\n```\n\n" for code in ("print(0.5)", "assert 0, 'low'", "print(1)")
        ),
        encoding="utf-8",
    )
    notebook = from_text(project.text.read_text(encoding="utf-8"), project.root / "_config.yml")
    found = execute(notebook, project.root / "notebooks")
    assert [one["error"] for one in found] == ["", "AssertionError: low", ""]
    assert found[2]["texts"] == ["1\n"]


def test_a_chapter_is_executed_as_it_stands_and_tells_the_margins_of_its_claims(project):
    code = "from course_lib.claims import claim\nclaim('C08', 'holds', 0.5 < 0.75, 'so much')"
    text = project.text.read_text(encoding="utf-8").split("```{code-cell}")[0]
    notebook = from_text(
        f"{text}```{{code-cell}} ipython3\n{code}\n```\n", project.root / "_config.yml"
    )
    (found,) = execute(notebook, project.root / "notebooks")
    assert found["source"] == code
    assert found["texts"] == ["[C08] holds: so much\n"]
    assert found["margins"] == {"0.5 < 0.75": 0.25}


def test_what_a_cell_printed_is_told_of_that_cell(project):
    """Also where a cell comes first that is not counted."""
    chapter = subjects_module.Chapter(project.text)
    notebook = chapter.notebook
    assert sum(cell.cell_type == "code" for cell in notebook.cells) == 4
    cells = subjects_module.code_cells(notebook)
    found = execute(notebook, project.root / "notebooks")
    assert [one["source"] for one in found] == [cell.source for cell in cells]


class TestCells:
    """What of a chapter's cells is written down."""

    @staticmethod
    def part(made, **metadata):
        import nbformat

        cell = nbformat.v4.new_code_cell("train()\nmore", metadata=metadata)
        return subjects_module._cell(cell, "code", made)

    def test_a_strict_cell_that_stands_still_is_not(self):
        same = {"texts": ["0.5"], "error": ""}
        assert self.part({"a": same, "b": same}) is None
        assert self.part({"a": same, "b": same}, tolerance={"atol": 0.1}).first == "train()"

    def test_a_strict_cell_that_moves_fails_or_says_something_else_is(self):
        made = {"texts": ["0.5"], "error": ""}
        assert self.part({"a": made, "b": {"texts": ["0.6"], "error": ""}}).spreads
        assert self.part({"a": made, "b": {"texts": ["half"], "error": ""}}).otherwise
        failed = {"texts": ["AssertionError: "], "error": "AssertionError: "}
        assert self.part({"a": made, "b": failed}).raised == {"b": "AssertionError: "}
        assert self.part({"a": failed, "b": failed}).raised

    def test_a_claim_whose_margin_moves_is(self):
        one, other = (
            {"texts": ["0.5"], "error": "", "margins": {"a < b": gap, "b < c": 1.0}}
            for gap in (0.25, 0.75)
        )
        assert self.part({"a": one, "b": other}).margins == {"a < b": (0.25, 0.75)}
        assert self.part({"a": one, "b": one}) is None
        failed = {**other, "texts": ["AssertionError: "], "error": "AssertionError: "}
        assert not self.part({"a": one, "b": failed}).margins

    def test_an_ignored_cell_only_where_it_fails(self):
        made = {"texts": ["0.5"], "error": ""}
        other = {"texts": ["0.6"], "error": ""}
        failed = {"texts": ["0.6"], "error": "AssertionError: "}
        tags = ["nbval-ignore-output"]
        assert self.part({"a": made, "b": other}, tags=tags) is None
        assert self.part({"a": made, "b": failed}, tags=tags).raised

    def test_an_ignored_cell_where_a_count_moves(self):
        made = {"texts": ["18 of 1000 fail: den Hund"], "error": ""}
        other = {"texts": ["15 of 1000 fail: die Katze"], "error": ""}
        part = self.part({"a": made, "b": other}, tags=["nbval-ignore-output"])
        assert [tuple(spread) for spread in part.again] == [("15", "18")]

    def test_a_failure_that_is_wanted_is_none(self):
        failed = {"texts": ["TypeError: "], "error": "TypeError: "}
        assert self.part({"a": failed, "b": failed}, tags=["raises-exception"]) is None


def test_a_command_that_fails_says_so_in_its_last_words():
    with pytest.raises(TaskError, match="no run is seed=7"):
        subjects_module.run([sys.executable, "-c", "raise SystemExit('no run is seed=7')"], {})


def test_what_is_kept_is_read_back_only_for_the_same_code(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "KEPT", tmp_path)
    job = module.Job(Subject(), "1", "", [ALL[0]])
    kept = tmp_path / "made" / "as_it_is.json"
    assert module._make(job, 0) == (0, True)
    assert module._make(job, 0) == (0, False)
    for other in ({"stamp": "1", "torch": "0", "found": 7}, [], {}):
        kept.write_text(json.dumps(other), encoding="utf-8")
        assert module._make(job, 0) == (0, True)
    kept.write_text("half", encoding="utf-8")
    assert module._make(job, 0) == (0, True)


class TestMadeAgain:
    """A chapter once more, with stored results made again in the place of the old ones."""

    STORED = Stored("room/made.json", key=("seed",), numbers=dict)

    @pytest.fixture
    def root(self, tmp_path, monkeypatch):
        path = self.STORED.path(tmp_path)
        path.parent.mkdir(parents=True)
        path.write_text('[{"seed": 0, "right": 5}, {"seed": 1, "right": 6}]', encoding="utf-8")
        parts = (Made("AVX2", {"seed": 1, "right": 7}),)
        save(path_of(self.STORED.file, tmp_path), Record("2", (), "", parts))
        return tmp_path

    def contents(self, root, registry=(STORED,)):
        """The records of the one stored file, round after round."""
        return [json.loads(one["room/made.json"]) for one in again.rounds(root, registry)]

    def test_only_what_was_made_again_differs(self, root):
        assert self.contents(root) == [[{"seed": 0, "right": 5}, {"seed": 1, "right": 7}]]
        files = again.rounds(root, (self.STORED,))
        assert again.digest(files) != again.digest([]) == ""
        assert not again.rounds(root, (self.STORED._replace(needs="data"),))

    def test_claims_meet_every_record_that_was_made_and_not_the_last_alone(self, root):
        parts = [Made("as it is", {"seed": 0, "right": 4})]
        parts += [Made(name, {"seed": 1, "right": x}) for name, x in (("AVX2", 7), ("no AVX", 8))]
        save(path_of(self.STORED.file, root), Record("2", (), "", tuple(parts)))
        rights = [[entry["right"] for entry in one] for one in self.contents(root)]
        assert rights == [[4, 7], [4, 8]]

    def test_seconds_are_not_made_again(self, root):
        self.STORED.path(root).write_text('[{"seed": 1, "right": 6, "seconds": 9.1}]')
        parts = (Made("AVX2", {"seed": 1, "right": 7, "seconds": 9.9}),)
        save(path_of(self.STORED.file, root), Record("2", (), "", parts))
        assert self.contents(root) == [[{"seed": 1, "right": 7, "seconds": 9.1}]]

    def test_the_library_reads_them_where_it_is_told_to(self, root, monkeypatch):
        path = self.STORED.path(root)
        (files,) = again.rounds(root, (self.STORED,))
        folder = again.write(files, root / "again")
        assert load_stored(path)[1]["right"] == 6
        monkeypatch.setenv("COURSE_STORED", str(folder))
        assert load_stored(path)[1]["right"] == 7
        again.write({}, folder)  # what another subject left there is gone
        assert load_stored(path)[1]["right"] == 6

    def test_a_chapter_has_a_condition_for_each_round(self, root, monkeypatch, tmp_path):
        monkeypatch.setattr(module, "KEPT", tmp_path / "kept")
        subject = Subject()
        assert not any(AGAIN in c.name for c in module._job(subject, root).conditions)
        subject.stored = (self.STORED,)
        parts = tuple(Made(name, {"seed": 1, "right": 7}) for name in ("AVX2", "no AVX"))
        save(path_of(self.STORED.file, root), Record("2", (), "", parts))
        job = module._job(subject, root)
        assert [c.name for c in job.conditions[-2:]] == [AGAIN, f"{AGAIN} 2"]
        for number, condition in enumerate(job.conditions[-2:], start=1):
            folder = tmp_path / "kept" / "stored" / str(number)
            assert (folder / "room" / "made.json").exists()
            assert condition.settings["COURSE_STORED"] == str(folder)
        written = Record(module._torch(), tuple(c.name for c in job.conditions), "1", (), job.again)
        assert module._is_fresh(written, job)
        assert not module._is_fresh(written._replace(again="other"), job)

    def test_a_chapter_reads_the_files_that_its_code_reaches(self, project):
        text = project.text.read_text(encoding="utf-8").replace(
            "from course_lib.arithmetic import double",
            "from course_lab.experiments.recurrence import recall_longer",
        )
        project.text.write_text(text, encoding="utf-8")
        files = {stored.file for stored in subjects_module.Chapter(project.text).reads()}
        assert {"recurrence/recall.json", "recurrence/recall_longer.json"} <= files
        assert "multi_head/heads.json" not in files

    @pytest.mark.parametrize("name", [AGAIN, again_name(1)])
    def test_their_numbers_may_differ_and_their_verdicts_may_not(self, name):
        stored = {"texts": ["[C08] holds: 0.97\n"], "error": ""}
        other = {"texts": ["[C08] holds: 0.90\n"], "error": ""}
        failed = {"texts": ["AssertionError: C08"], "error": "AssertionError: C08"}
        part = TestCells.part
        assert part({"as it is": stored, name: other}) is None
        assert part({"as it is": stored, name: failed}).raised == {name: "AssertionError: C08"}
        turned = {"texts": ["[C08] does not hold: 0.40\n"], "error": ""}
        assert part({"as it is": stored, name: turned}).otherwise

    def test_their_counts_may_not_differ(self):
        stored = {"texts": ["8 of 10, 0.97\n"], "error": ""}
        other = {"texts": ["9 of 10, 0.90\n"], "error": ""}
        found = TestCells.part({"as it is": stored, again_name(1): other})
        assert [tuple(spread) for spread in found.again] == [("8", "9")]
        assert not any(spread.moved for spread in found.spreads)


class TestTurns:
    """Other records each time, until all were made again."""

    STORED = Stored(
        "room/made.json",
        key=("kind", "seed"),
        parts=(("--only", "kind=a", "seed=0"), ("--only", "kind=a", "seed=1")),
    )
    ENTRIES = tuple({"kind": kind, "seed": seed} for kind in "abc" for seed in (0, 1))

    @pytest.fixture(autouse=True)
    def three_at_a_time(self, monkeypatch):
        monkeypatch.setattr(registry, "LEAST", 3)

    @pytest.fixture
    def experiment(self, tmp_path, monkeypatch):
        path = self.STORED.path(tmp_path)
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(self.ENTRIES), encoding="utf-8")
        monkeypatch.setattr(Stored, "path", lambda stored, root=tmp_path: path)
        return Experiment(self.STORED)

    def test_every_record_has_its_turn_and_the_first_ones_come_first(self):
        turns = [
            [tuple(self.STORED.part(turn, number, self.ENTRIES)) for number in range(3)]
            for turn in range(4)
        ]
        assert turns[0] == [*self.STORED.parts, self.STORED.parts[0]]
        assert turns[1][0] == ("--only", "kind=b", "seed=0")
        assert turns[3] == turns[0]
        every = {("--only", f"kind={e['kind']}", f"seed={e['seed']}") for e in self.ENTRIES}
        assert every == {part for turn in turns for part in turn}

    def test_a_setting_that_was_never_made_comes_before_another_seed(self):
        parts = [self.STORED.part(1, number, self.ENTRIES) for number in range(3)]
        assert [part[1] for part in parts] == ["kind=b", "kind=c", "kind=b"]

    def test_settings_are_left_until_a_record_of_each_was_made(self, experiment):
        assert experiment.left() == 3
        made = experiment.parts({"AVX2": [{"kind": "a", "seed": 0}, {"kind": "c", "seed": 1}]})
        more = experiment.more(made, finished=True)
        assert experiment.after(Record("2", (), "", tuple(made), **more)).left() == 1
        chooses = self.STORED._replace(file="room/made_rates.json")
        assert Experiment(chooses).left() == 0

    def test_a_file_of_which_all_is_named_has_one_turn(self):
        assert self.STORED.part(7, 1, self.ENTRIES[:2]) == list(self.STORED.parts[1])

    def test_what_was_made_before_is_kept_and_not_made_again_soon(self, experiment):
        first = experiment.parts({"AVX2": [{"kind": "a", "seed": 0, "right": 5}]})
        more = experiment.more(first, finished=True)
        later = experiment.after(Record("2", (), "", tuple(first), **more))
        assert later.part(0) == ["--only", "kind=b", "seed=0"]
        assert later.parts({"AVX2": [{"kind": "b", "seed": 0}]})[1:] == first
        anew = Made("no AVX", {"kind": "a", "seed": 0, "right": 6})
        assert later.parts({"no AVX": [anew.record]}) == [anew]

    def test_an_interrupted_turn_goes_on_with_the_same_records(self, experiment):
        more = experiment.more((), finished=False)
        assert experiment.after(Record("2", (), "", (), **more)).part(0) == experiment.part(0)

    def test_records_of_another_file_are_not_kept(self, experiment):
        first = experiment.parts({"AVX2": [{"kind": "a", "seed": 0}]})
        record = Record("2", (), "", tuple(first), of="another")
        assert experiment.after(record).parts({}) == []
        assert experiment.after(record).part(0) == experiment.part(0)
        assert experiment.after(record._replace(of="")).parts({}) == first

    def test_what_is_kept_of_another_part_is_made_anew(self, tmp_path, monkeypatch):
        monkeypatch.setattr(module, "KEPT", tmp_path)
        subject = Subject()
        job = module.Job(subject, "1", "", [ALL[0]])
        for part, made in ((["a"], True), (["a"], False), (["b"], True)):
            subject.part = lambda number, part=part: part
            assert module._make(job, 0)[1] is made


def test_every_part_names_what_tells_one_record_from_another():
    for stored in REGISTRY:
        entries = [] if stored.needs else json.loads(stored.path().read_text(encoding="utf-8"))
        listed = {choice.partition("=")[0] for part in stored.parts for choice in part[1:]}
        assert listed <= set(stored.key)
        assert len({stored.key_of(entry) for entry in entries}) == len(entries)


@pytest.mark.parametrize("stored", [s for s in REGISTRY if not s.needs], ids=lambda s: s.file)
def test_the_command_makes_every_record_of_a_stored_file(stored, tmp_path, monkeypatch):
    """A rate that was tried, and has left the command, would stay in the file for good."""
    module = importlib.import_module(stored.module_name)
    asked = []
    for name, one in list(sys.modules.items()):
        if name.startswith("course_lab.experiments."):
            if hasattr(one, "write_records"):
                monkeypatch.setattr(one, "write_records", lambda *call: asked.append(call[1]))
            if hasattr(one, "make_world"):  # seconds, and no run's name depends on it
                monkeypatch.setattr(one, "make_world", lambda *parts, **named: None)
    for entry in json.loads(stored.path().read_text(encoding="utf-8")):
        command = stored.command(tmp_path / "again.json", stored.only(entry))
        module.main(command[3:])  # ends the program if there is no such run
        assert len(asked.pop()) == 1, stored.key_of(entry)
