"""For each stored file of the experiments: the command that makes it again, and how that is proved.

`make shake` runs a part of the command under each condition, another part each time round, and
compares the records that come out with those of the same key in the stored file. Pages compare
more: chapter 4 trains two of its stored models again whenever it is executed.
"""

import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

from tools.project import ROOT
from tools.shake.conditions import LEAST

EXPERIMENTS = Path("course_lab/experiments")
STEP = 0.01
"""A difference below it is nothing, where a kind has no step of its own."""
Numbers = dict[str, float]


def shares(bins: Sequence[Sequence[float]]) -> Numbers:
    """Exact match by sentence length, from counts of sentences."""
    from course_lab.experiments.lab.bins import LengthCounts

    counts = [LengthCounts(*entry) for entry in bins]
    return {f"exact {c.low}-{c.high}": c.rate for c in counts}


def _one_vector(entry: Mapping[str, Any]) -> Numbers:
    fifths = {
        f"right fifth{place}": right / of
        for place, (right, of) in enumerate(entry["by_source"], start=1)
    }
    settled = {name: entry[name] for name in ("parameters", "nats", "accuracy")}
    return {**settled, **shares(entry["bins"]), **fifths}


def _which_end(entry: Mapping[str, Any]) -> Numbers:
    fifths = {
        f"right {side}{place}": right / of
        for side in ("source", "target")
        for place, (right, of) in enumerate(entry[side], start=1)
    }
    return {"nats": entry["nats"], **shares(entry["bins"]), **fifths}


def _pretraining(entry: Mapping[str, Any]) -> Numbers:
    copied = {f"copied {part}": share for part, share in entry["copied"].items()}
    return {"nats": entry["nats"], "updates": entry["steps"], **copied, **shares(entry["bins"])}


def _bottleneck(entry: Mapping[str, Any]) -> Numbers:
    return {"parameters": entry["parameters"], **shares(entry["bins"])}


def _enough(entry: Mapping[str, Any]) -> Numbers:
    settled = {name: entry[name] for name in ("parameters", "nats")}
    return {**settled, **shares(entry["bins"])}


def _window(entry: Mapping[str, Any]) -> Numbers:
    return shares(entry["bins"])


def _other_ways(entry: Mapping[str, Any]) -> Numbers:
    places = {f"places {name}": entry[name] for name in ("at_ends", "inside") if name in entry}
    return {**shares(entry["bins"]), **places}


def _links(entry: Mapping[str, Any]) -> Numbers:
    told = ("precision", "recall", "error")
    settled = {name: entry[name] for name in ("pairs", "iterations")}
    rates = {
        f"{what} {way}": rate
        for way, score in entry["scores"].items()
        for what, rate in zip(told, score, strict=True)
    }
    return settled | rates


def _captions(entry: Mapping[str, Any]) -> Numbers:
    wanted = ("bleu", "perplexity", "sentences", "parameters", "updates")
    return {name: entry[name] for name in wanted}


def _sick(entry: Mapping[str, Any]) -> Numbers:
    shares = {f"accuracy {name}": entry[name] for name in ("accuracy", "validation_accuracy")}
    return {**shares, "parameters": entry["parameters"], "updates": entry["updates"]}


def _soft_alignment(entry: Mapping[str, Any]) -> Numbers:
    before, row, after = entry["attention"]
    shifts = {"attention": row, "shifted -1": before, "shifted 1": after}
    return {**shifts, "model1": entry["model1"]}


def _shares_right(entry: Mapping[str, Any]) -> Numbers:
    """Size and shares; of the pairs with new words, where there are any."""
    wanted = ("parameters", "accuracy", "renamed")
    return {name: entry[name] for name in wanted if name in entry}


def _recall(entry: Mapping[str, Any], *, times: int = 1) -> Numbers:
    """The share of nets that recall, and the share of the updates that a net takes on average.

    A median would jump to infinity where one net more does not recall.
    """
    from course_lab.experiments.recurrence.recall import UPDATES

    most = times * UPDATES
    took = [most if each is None else each for each in entry["updates"]]
    recalled = mean(each is not None for each in entry["updates"])
    return {"recalled": recalled, "updates": mean(took) / most}


def _tuned(entry: Mapping[str, Any]) -> Numbers:
    return {
        name: entry[wanted]
        for name, wanted in (("nats", "nats"), ("updates", "steps"))
        if wanted in entry
    }


def _noise(entry: Mapping[str, Any]) -> Numbers:
    """Logarithms to base ten: such a ratio moves by a share of itself."""
    return {f"log10 {n}": math.log10(entry[n]) for n in ("soft", "none", "others", "scene")}


def _readers(entry: Mapping[str, Any]) -> Numbers:
    shares = {f"right {name}": entry[name] for name in ("digits", "scenes", "places")}
    checks = {f"curve {n}": share for n, share in enumerate(entry["curve"], start=1)}
    return {"parameters": entry["parameters"], **shares, **checks}


def _king(entry: Mapping[str, Any]) -> Numbers:
    """Shares and losses; weights within a sentence are free to go where they like."""
    told = {name: share for name, share in entry.items() if name.startswith(("accuracy", "lost"))}
    found = {"found": entry["sentence found"]} if "sentence found" in entry else {}
    return {"parameters": entry["parameters"], **told, **found}


def _heads(entry: Mapping[str, Any]) -> Numbers:
    """The best of the heads: which of them it is may turn out otherwise."""
    tables = {
        f"{what} {kind}": max(max(row) for row in table)
        for what in ("found", "cost")
        for kind, table in entry[what].items()
    }
    return {"agreement": entry["agreement"], **tables}


def _peers(entry: Mapping[str, Any]) -> Numbers:
    """Shares and error rates; which head is best, and how long it took, may differ."""
    rates = {"attention": entry["rows"][1]}
    if "head" in entry:
        rates["attention of a head"] = entry["head"]
    settled = {name: entry[name] for name in ("parameters", "compositional")}
    return {**settled, **shares(entry["bins"]), **rates}


def _validated(entry: Mapping[str, Any]) -> Numbers:
    wanted = ("nats", "exact", "trained", "compositional", "beyond")
    return {name: entry[name] for name in wanted if name in entry}


def _search(entry: Mapping[str, Any]) -> Numbers:
    """Right and likeliest sentences by stage and width; the length of the most probable ones."""
    told: Numbers = {}
    for stage, found in entry["stages"].items():
        for width, one in found["beams"].items():
            told |= {f"{what} {stage} {width}": one[what] for what in ("exact", "likeliest")}
        told[f"length {stage}"] = found["best"]["length"]
    return told


def _sampling(entry: Mapping[str, Any]) -> Numbers:
    return {f"{what} {way}": x for way, one in entry["ways"].items() for what, x in one.items()}


class Stored(NamedTuple):
    """A stored file and what makes it.

    Attributes:
        file: below course_lab/experiments, such as "bahdanau/bottleneck.json".
        arguments: of the module, without the file; the whole command is `command`.
        key: the entries that tell one record from another.
        numbers: what is compared of a record; the first word of a name is its kind.
        apart: by how much numbers of a kind may differ from a new run; other kinds not at all.
        parts: arguments that choose few records; each condition takes the next.
        needs: why it is not made again at all.
        held: then the test, "file::function", that holds what is said of it.
        data: the corpus that it takes; where that is not at hand, `make shake` leaves it alone.
        module: where the file's own name is not the module's.
        steps: for a kind, the least difference that its numbers can have; else it is `STEP`.
    """

    file: str
    arguments: tuple[str, ...] = ()
    key: tuple[str, ...] = ()
    numbers: Callable[[Mapping[str, Any]], Numbers] = lambda entry: {}
    apart: Mapping[str, float] = {}
    parts: tuple[tuple[str, ...], ...] = ((),)
    needs: str = ""
    held: str = ""
    data: str = ""
    module: str = ""
    steps: Mapping[str, float] = {}

    @property
    def name(self) -> str:
        """As `make shake` is told: "bottleneck"."""
        return Path(self.file).stem

    def path(self, root: Path = ROOT) -> Path:
        return root / EXPERIMENTS / self.file

    @property
    def module_name(self) -> str:
        """The module that is run."""
        stem = self.module or self.name
        return ".".join([*EXPERIMENTS.parts, *Path(self.file).parent.parts, stem])

    def command(self, target: Path, part: Sequence[str] = ()) -> list[str]:
        """What makes the file again, or a part of it, in another place."""
        return [
            *(sys.executable, "-m", self.module_name, *self.arguments),
            *("--file", str(target), *part),
        ]

    def key_of(self, entry: Mapping[str, Any]) -> tuple:
        return tuple(entry[name] for name in self.key)

    def step(self, kind: str) -> float:
        """A difference of this kind below it is nothing."""
        return self.steps.get(kind, STEP)

    def part(self, turn: int, number: int, entries: Sequence[Mapping[str, Any]]) -> list[str]:
        """The arguments for one condition of one shaking.

        The parts of the registry come first; each later shaking takes the next of the other
        records, so that all are made again in time, and then it begins anew. A setting that was
        never made comes before another seed of one that was.

        Args:
            turn: how often the file was shaken before.
            number: of the condition.
            entries: the records of the stored file.
        """
        rest = self._rest(entries)
        turn %= 1 + math.ceil(len(rest) / LEAST)
        if turn == 0:
            return list(self.parts[number % len(self.parts)])
        entry = rest[((turn - 1) * LEAST + number) % len(rest)]
        return self.only(entry)

    def _rest(self, entries: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        """The records that no part of the registry makes, one of each setting after the other."""
        first = [entry for entry in entries if any(_takes(part, entry) for part in self.parts)]
        rest = [entry for entry in entries if entry not in first]
        seen = Counter(self.setting_of(entry) for entry in first)
        ranks = []
        for entry in rest:
            ranks.append(seen[self.setting_of(entry)])
            seen[self.setting_of(entry)] += 1
        return [rest[i] for i in sorted(range(len(rest)), key=ranks.__getitem__)]

    @property
    def chooses(self) -> bool:
        """Whether it only chooses a setting, so that no claim rests on it."""
        return self.file.endswith(("_tuning.json", "_rates.json"))

    def unmade(
        self, entries: Sequence[Mapping[str, Any]], made: Sequence[Mapping[str, Any]]
    ) -> list[tuple]:
        """The stored settings of which no record was made; of a choosing file none counts."""
        there = {self.setting_of(entry) for entry in made}
        wanted = () if self.chooses else dict.fromkeys(map(self.setting_of, entries))
        return [setting for setting in wanted if setting not in there]

    def setting_of(self, entry: Mapping[str, Any]) -> tuple:
        """What tells a record from those that differ by their seed alone."""
        return tuple(entry[name] for name in self.key if name != "seed")

    def only(self, entry: Mapping[str, Any]) -> list[str]:
        """The arguments by which the command makes this record and no other."""
        return ["--only", *(f"{name}={entry[name]}" for name in self.key)]


def _takes(part: Sequence[str], entry: Mapping[str, Any]) -> bool:
    """True if a part makes this record, among others."""
    choices = [choice.partition("=") for choice in part[1:]]
    return all(str(entry[name]) == value for name, _, value in choices)


def _only(*choices: str) -> tuple[tuple[str, ...], ...]:
    """Parts of an experiment, each written as "field=value field=value"."""
    return tuple(("--only", *re.split(r" (?=\w+=)", choice)) for choice in choices)


def _held(file: str, function: str) -> str:
    return f"tests/unit/experiments/{file}.py::{function}"


REGISTRY = (
    Stored(
        "alignment/hansards.json",
        (),
        ("ties",),
        _links,
        parts=_only("ties=diagonal", "ties=first", "ties=last"),
        module="links",
        data="hansards",
    ),
    Stored(
        "bahdanau/bottleneck.json",
        ("seeds",),
        ("model", "seed"),
        _bottleneck,
        {"exact": 0.12},
        _only(
            "model=cho seed=0",
            "model=bahdanau seed=1",
            "model=equal seed=0",
            "model=cho4 seed=2",
            "model=equal4 seed=2",
            "model=bahdanau seed=3",
        ),
    ),
    Stored(
        "bahdanau/bottleneck_rates.json",
        ("rates",),
        ("model", "rate"),
        _bottleneck,
        {"exact": 0.26},
        _only("model=cho rate=0.02", "model=cho rate=0.01", "model=bahdanau rate=0.02"),
        module="bottleneck",
    ),
    Stored(
        "bahdanau/in_page.safetensors",
        needs="a new run is another network",
        held=_held("bahdanau/test_in_page", "test_the_rounded_network_translates"),
    ),
    Stored(
        "bahdanau/captions.json",
        (),
        ("model", "seed"),
        _captions,
        {"bleu": 1.0, "perplexity": 0.2},
        _only("seed=0", "seed=1", "seed=2"),
        data="multi30k",
    ),
    Stored(
        "bahdanau/soft_alignment.json",
        (),
        ("direction", "seed"),
        _soft_alignment,
        {"attention": 0.06, "shifted": 0.05},
        _only(
            "direction=German to English seed=0",
            "direction=English to German seed=1",
            "direction=German to English seed=2",
        ),
    ),
    Stored(
        "decoding/cost.json",
        needs="seconds, which no two machines have alike",
        held=_held("decoding/test_cost", "test_the_stored_ratios"),
    ),
    Stored(
        "decoding/sampling.json",
        (),
        ("variant", "seed"),
        _sampling,
        {"right": 0.3, "different": 0.1, "new": 0.15},
        _only("seed=0", "seed=1", "seed=2", "seed=3"),
    ),
    Stored(
        "decoding/sampling_tuning.json",
        ("--tune",),
        ("variant", "learning_rate"),
        _tuned,
        {"nats": 0.06},
        _only("learning_rate=0.01", "learning_rate=0.02", "learning_rate=0.04"),
        module="sampling",
    ),
    Stored(
        "decoding/search.json",
        (),
        ("variant", "seed"),
        _search,
        {"exact": 0.15, "likeliest": 0.2, "length": 0.06},
        _only("seed=0", "seed=1", "seed=2", "seed=3"),
    ),
    Stored(
        "decoding/search_tuning.json",
        ("--tune",),
        ("variant", "learning_rate"),
        _tuned,
        {"nats": 0.06},
        _only("learning_rate=0.005", "learning_rate=0.01", "learning_rate=0.02"),
        module="search",
    ),
    Stored(
        "decoding/tree.json",
        needs="a new run is another network",
        held=_held(
            "decoding/test_search", "test_the_stored_tree_is_a_sentence_that_greedy_search_spoils"
        ),
    ),
    Stored(
        "two_levels/in_page.json",
        needs="a new run weighs other words",
        held=_held(
            "two_levels/test_king",
            "test_the_documents_to_touch_are_one_family_and_every_answer_is_right",
        ),
    ),
    Stored(
        "two_levels/king.json",
        (),
        ("variant", "seed"),
        _king,
        {"accuracy": 0.06, "found": 0.06, "lost": 0.18},
        _only(
            "variant=attention seed=0",
            "variant=equal sentences seed=1",
            "variant=bag seed=2",
            "variant=attention seed=3",
            "variant=equal both seed=1",
            "variant=no GRU, equal seed=2",
        ),
    ),
    Stored(
        "two_levels/king_tuning.json",
        ("--tune",),
        ("variant", "learning_rate"),
        _tuned,
        {"nats": 0.06},
        _only(
            "variant=attention learning_rate=0.005",
            "variant=bag learning_rate=0.04",
            "variant=equal both learning_rate=0.01",
        ),
        module="king",
    ),
    Stored(
        "two_levels/reviews.json",
        (),
        ("model", "fold"),
        lambda entry: {name: entry[name] for name in ("accuracy", "read") if name in entry},
        {"accuracy": 0.06},
        _only(
            "model=network fold=0",
            "model=bag",
            "model=bag, same input",
            "model=network fold=1",
            "model=network fold=2",
            "model=network fold=3",
        ),
        data="reviews",
    ),
    Stored(
        "query_key_value/enough.json",
        (),
        ("variant", "seed"),
        _enough,
        {"exact": 0.2, "nats": 0.06},
        _only(
            "variant=dot seed=0",
            "variant=additive seed=1",
            "variant=scaled dot seed=2",
            "variant=additive seed=3",
            "variant=general seed=0",
            "variant=equal weights seed=1",
            "variant=scaled dot, variance 1 seed=2",
            "variant=dot, variance 1 seed=3",
        ),
    ),
    Stored(
        "query_key_value/enough_tuning.json",
        ("--tune",),
        ("variant", "learning_rate"),
        _tuned,
        {"nats": 0.08},
        _only(
            "variant=dot learning_rate=0.02",
            "variant=additive learning_rate=0.02",
            "variant=scaled dot learning_rate=0.02",
            "variant=general learning_rate=0.02",
            "variant=scaled dot, variance 1 learning_rate=0.02",
        ),
        module="enough",
    ),
    Stored(
        "decomposable/comparison.json",
        (),
        ("variant", "seed"),
        _shares_right,
        {"accuracy": 0.08, "renamed": 0.08},
        _only(
            "variant=decomposable 32 seed=0",
            "variant=bag 32 seed=1",
            "variant=LSTM 16 seed=2",
            "variant=decomposable 16 seed=3",
        ),
    ),
    Stored(
        "decomposable/comparison_tuning.json",
        ("--tune",),
        ("variant", "learning_rate"),
        _shares_right,
        {"accuracy": 0.06},
        _only(
            "variant=decomposable 32 learning_rate=0.005",
            "variant=bag 16 learning_rate=0.01",
            "variant=LSTM 16 learning_rate=0.01",
        ),
        module="comparison",
    ),
    Stored(
        "decomposable/in_page.safetensors",
        needs="a new run is another network",
        held=_held(
            "decomposable/test_in_page",
            "test_the_stored_network_is_nearly_always_right_about_its_menus",
        ),
    ),
    Stored(
        "decomposable/sick.json",
        (),
        ("variant", "seed"),
        _sick,
        {"accuracy": 0.06},
        _only(
            "variant=bag seed=0",
            "variant=decomposable seed=1",
            "variant=bag, with contrast seed=2",
            "variant=LSTM, with contrast seed=3",
            "variant=decomposable, with contrast seed=4",
            "variant=hypothesis alone seed=0",
        ),
        data="sick",
    ),
    Stored(
        "multi_head/difference.json",
        (),
        ("variant", "seed"),
        lambda entry: {f"error {task}": entry[task] for task in ("sum", "difference")},
        {"error": 0.03},
        _only(
            "variant=two heads seed=0",
            "variant=one head seed=1",
            "variant=one head, 8 times as wide seed=2",
        ),
    ),
    Stored(
        "multi_head/difference_tuning.json",
        ("--tune",),
        ("variant", "learning_rate"),
        lambda entry: {"error": entry["error"]},
        {"error": 0.03},
        _only("variant=two heads learning_rate=0.03", "variant=one head learning_rate=0.03"),
        module="difference",
    ),
    Stored(
        "multi_head/heads.json",
        (),
        ("variant", "seed"),
        _heads,
        {"agreement": 0.1, "found": 0.75, "cost": 2.4},
        _only(
            "variant=trained seed=0",
            "variant=trained seed=1",
            "variant=trained seed=2",
        ),
    ),
    Stored(
        "multi_head/heads_tuning.json",
        ("--tune",),
        ("variant", "learning_rate"),
        _tuned,
        {"nats": 0.12},
        _only("learning_rate=0.006", "learning_rate=0.003", "learning_rate=0.012"),
        module="heads",
    ),
    Stored(
        "multi_head/in_page.safetensors",
        needs="a new run is another network",
        held=_held(
            "multi_head/test_in_page", "test_without_its_first_head_it_takes_women_for_a_woman"
        ),
    ),
    Stored(
        "real/lengths.json",
        needs="tests/real makes a part of it again",
        held=_held(
            "real/test_lengths", "test_joined_captions_are_much_worse_than_the_same_captions_apart"
        ),
    ),
    Stored(
        "real/links.json",
        needs="tests/real makes a part of it again",
        held=_held("real/test_links", "test_every_map_is_stored_and_beats_the_diagonal"),
    ),
    Stored(
        "real/mistakes.json",
        needs="it was read by eye",
        held=_held("real/test_mistakes", "test_every_tenth_caption_was_read"),
    ),
    Stored(
        "real/verb_object.json",
        needs="tests/real makes a part of it again",
        held=_held(
            "real/test_verb_object", "test_what_is_stored_is_200_captions_and_four_comparisons"
        ),
    ),
    Stored(
        "recurrence/in_page.safetensors",
        needs="a new run is another network",
        held=_held(
            "recurrence/test_in_page",
            "test_the_verb_follows_the_last_noun_where_a_clause_stands_between",
        ),
    ),
    Stored(
        "recurrence/recall.json",
        (),
        ("kind", "distance", "rate"),
        _recall,
        {"recalled": 0.35, "updates": 0.3},
        _only(
            "kind=LSTM, forget bias 5 distance=100 rate=0.001",
            "kind=GRU distance=50 rate=0.01",
            "kind=LSTM distance=10 rate=0.003",
        ),
        steps={"recalled": 0.1, "updates": 0.02},
    ),
    Stored(
        "recurrence/recall_longer.json",
        (),
        ("kind", "distance", "rate"),
        partial(_recall, times=4),
        # How long the slowest of them take is chance.
        {"recalled": 0.3, "updates": 0.15},
        _only("kind=LSTM, forget bias 1", "kind=LSTM"),
        steps={"recalled": 0.1, "updates": 0.02},
    ),
    Stored(
        "self_attention/articles.json",
        (),
        ("variant", "seed"),
        _shares_right,
        {"accuracy": 0.06},
        _only(
            "variant=query, key, value seed=0",
            "variant=S Sᵀ seed=1",
            "variant=rotary positions seed=2",
            "variant=one matrix for Q and K seed=3",
            "variant=equal weights seed=4",
        ),
    ),
    Stored(
        "self_attention/articles_tuning.json",
        ("--tune",),
        ("variant", "learning_rate"),
        _shares_right,
        {"accuracy": 0.06},
        _only(
            "variant=query, key, value learning_rate=0.08",
            "variant=S Sᵀ learning_rate=0.04",
            "variant=no positions learning_rate=0.08",
        ),
        module="articles",
    ),
    Stored(
        "self_attention/in_page.json",
        needs="a new run is other readers",
        held=_held(
            "self_attention/test_in_page",
            "test_who_may_ask_every_word_is_right_and_who_may_not_guesses",
        ),
    ),
    Stored(
        "self_attention/tape.json",
        needs="a new run is another reader",
        held=_held(
            "self_attention/test_in_page", "test_the_tapes_rows_are_weights_over_what_was_before"
        ),
    ),
    Stored(
        "seq2seq/in_page.safetensors",
        needs="a new run is another network",
        held=_held(
            "seq2seq/test_in_page", "test_in_half_precision_it_is_as_right_as_the_stored_run"
        ),
    ),
    Stored(
        "seq2seq/ends_longer.json",
        (),
        ("variant", "seed"),
        _which_end,
        {"exact": 0.25, "nats": 0.09, "right": 0.14},
        _only("variant=backwards seed=0", "variant=forwards seed=1", "variant=backwards seed=2"),
    ),
    Stored(
        "seq2seq/longer.json",
        (),
        ("variant", "seed"),
        _one_vector,
        {"exact": 0.25, "nats": 0.1, "accuracy": 0.04, "right": 0.07},
        _only("variant=width 32 seed=0"),
    ),
    Stored(
        "seq2seq/one_vector.json",
        (),
        ("variant", "seed"),
        _one_vector,
        {"exact": 0.25, "nats": 0.1, "accuracy": 0.04, "right": 0.07},
        _only(
            "variant=width 32 seed=0",
            "variant=width 64 seed=1",
            "variant=32 in 128 seed=2",
            "variant=backwards seed=0",
            "variant=forwards seed=1",
            "variant=width 32 seed=2",
        ),
    ),
    Stored(
        "seq2seq/one_vector_tuning.json",
        ("--tune",),
        ("variant", "learning_rate"),
        _tuned,
        {"nats": 0.05},
        _only(
            "variant=width 32 learning_rate=0.02",
            "variant=width 64 learning_rate=0.01",
            "variant=backwards learning_rate=0.02",
        ),
        module="one_vector",
    ),
    Stored(
        "seq2seq/pretraining.json",
        (),
        ("variant", "seed"),
        _pretraining,
        {"exact": 0.15, "nats": 0.07, "copied": 0.06, "updates": 250.0},
        _only(
            "variant=scratch seed=0",
            "variant=encoder seed=1",
            "variant=decoder seed=2",
            "variant=scratch seed=1",
        ),
    ),
    Stored(
        "seq2seq/pretraining_tuning.json",
        ("--tune",),
        ("variant", "learning_rate"),
        _tuned,
        {"nats": 0.06, "updates": 200.0},
        _only(
            "variant=scratch learning_rate=0.003",
            "variant=encoder learning_rate=0.006",
            "variant=scratch learning_rate=0.006",
        ),
        module="pretraining",
    ),
    Stored(
        "seq2seq/which_end.json",
        (),
        ("variant", "seed"),
        _which_end,
        {"exact": 0.25, "nats": 0.1, "right": 0.1},
        _only(
            "variant=backwards seed=2",
            "variant=forwards seed=1",
            "variant=backwards seed=1",
            "variant=forwards seed=0",
        ),
    ),
    Stored(
        "soft_and_hard/in_page.json",
        needs="a new run is other readers",
        held=_held(
            "soft_and_hard/test_in_page",
            "test_the_stored_scenes_are_test_scenes_and_the_figure_shows_them",
        ),
    ),
    Stored(
        "soft_and_hard/noise.json",
        (),
        ("seed",),
        _noise,
        {"log10": 0.4},
        _only("seed=0", "seed=1", "seed=2"),
    ),
    Stored(
        "soft_and_hard/reading.json",
        (),
        ("variant", "seed"),
        _readers,
        {"right": 0.45, "curve": 0.45},
        _only(
            "variant=hard seed=0",
            "variant=soft seed=1",
            "variant=hard seed=2",
            "variant=equal seed=3",
            "variant=hard, no entropy seed=4",
            "variant=hard, no baseline seed=0",
        ),
    ),
    Stored(
        "soft_and_hard/reading_tuning.json",
        ("--tune",),
        ("variant", "learning_rate"),
        lambda entry: {"right digits": entry["digits"]},
        {"right": 0.14},
        _only(
            "variant=hard learning_rate=0.005",
            "variant=soft learning_rate=0.01",
            "variant=equal learning_rate=0.04",
        ),
        module="reading",
    ),
    Stored(
        "transformer/ablations.json",
        (),
        ("variant", "learning_rate", "seed"),
        _validated,
        {"nats": 0.4, "trained": 0.12, "compositional": 0.25, "beyond": 0.06},
        _only(
            "variant=no positions learning_rate=0.005 seed=0",
            "variant=post-norm learning_rate=0.005 seed=1",
            "variant=one head learning_rate=0.005 seed=0",
        ),
    ),
    Stored(
        "transformer/ablations_longer.json",
        (),
        ("variant", "learning_rate", "seed"),
        _validated,
        {"nats": 0.85, "trained": 0.1, "compositional": 0.075, "beyond": 0.06},
        _only(
            "variant=no scale learning_rate=0.005 seed=0",
            "variant=no positions learning_rate=0.005 seed=1",
            "variant=no layer norm learning_rate=0.005 seed=2",
        ),
    ),
    Stored(
        "transformer/in_page.safetensors",
        needs="a new run is another network",
        held=_held(
            "transformer/test_in_page", "test_the_ones_that_it_gets_wrong_are_those_that_are_said"
        ),
    ),
    Stored(
        "transformer/peers.json",
        (),
        ("variant", "seed"),
        _peers,
        {"exact": 0.2, "compositional": 0.1, "attention": 0.15},
        _only(
            "variant=Transformer seed=0",
            "variant=Bahdanau seed=1",
            "variant=Transformer seed=2",
            "variant=Bahdanau seed=3",
        ),
    ),
    Stored(
        "transformer/peers_tuning.json",
        ("--tune",),
        ("variant", "learning_rate"),
        _validated,
        {"nats": 0.06, "exact": 0.06},
        _only("variant=Transformer learning_rate=0.005", "variant=Bahdanau learning_rate=0.02"),
        module="peers",
    ),
    Stored(
        "where_to_look/maps.json",
        needs="a new run is another network",
        held=_held("where_to_look/test_window", "test_the_stored_maps_are_of_the_chosen_sentences"),
    ),
    Stored(
        "where_to_look/other_ways.json",
        (),
        ("variant", "seed"),
        _other_ways,
        {"exact": 0.35, "places": 0.18},
        _only(
            "variant=two-way seed=0",
            "variant=two-way, first state zero seed=1",
            "variant=first state zero seed=0",
            "variant=local-p, D = 3 seed=0",
            "variant=local-p, D = 8 seed=1",
        ),
    ),
    Stored(
        "where_to_look/window.json",
        ("seeds",),
        ("attention", "radius", "times", "seed"),
        _window,
        {"exact": 0.12},
        _only(
            "attention=global seed=0",
            "attention=local-m radius=3 times=1 seed=1",
            "attention=local-m radius=1 seed=2",
            "attention=local-p radius=3 times=1 seed=0",
        ),
    ),
    Stored(
        "where_to_look/window_rates.json",
        ("rates",),
        ("attention", "rate"),
        _window,
        {"exact": 0.15},
        _only(
            "attention=global rate=0.02",
            "attention=local-m rate=0.02",
            "attention=local-p rate=0.02",
        ),
        module="window",
    ),
)
