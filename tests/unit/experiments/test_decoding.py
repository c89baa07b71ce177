"""Chapter 11: the cost of decoding, the language as a set, and what is judged of searches."""

import pytest
import torch

from course_lab.experiments.decoding import search, tree
from course_lab.experiments.decoding.cost import Counting, WithoutCache, with_cache, without_cache
from course_lab.experiments.decoding.language import as_set
from course_lib.data.mini_world.grammar import sample
from course_lib.data.mini_world.lexicon.reader import load
from course_lib.decoding.generate import NEVER
from course_lib.decoding.greedy import greedy
from course_lib.device import cpu_generator
from course_lib.models.transformer import Transformer, TransformerConfig


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("tokens", [2, 7])
def test_the_formula_of_the_cost_is_what_is_counted(layers, tokens):
    config = TransformerConfig(20, 30, width=8, heads=2, layers=layers, feed_forward=20)
    model = Transformer(config, cpu_generator(0)).eval()
    source = torch.randint(4, 20, (3, 5), generator=cpu_generator(1))
    real = torch.ones_like(source, dtype=torch.bool)
    with torch.no_grad(), Counting() as encoder:
        model.encode(source, real)
    written = []
    for one, formula in ((model, with_cache), (WithoutCache(model), without_cache)):
        with Counting() as counting:
            decoded = greedy(one, source, real, end=NEVER, max_length=tokens - 1)
        assert counting.count - encoder.count == 3 * formula(config, 5, tokens)
        written.append(decoded.ids)
    assert written[0] == written[1]


def test_sentences_of_the_grammar_are_in_the_language():
    """Those of the same shape: a phrase of two or three words on both sides of the verb."""
    verbs = {form for verb in load("tiny").verbs if verb.objects for form in verb.german}
    articles = {form for d in load("tiny").determiners.values() for row in d.german for form in row}
    checked = 0
    for pair in sample("train", 800, seed=5, min_words=6, max_words=8, vocabulary="tiny"):
        line = pair.target
        at = [i for i, word in enumerate(line) if word in verbs]
        if len(at) == 1 and at[0] in (2, 3) and len(line) - at[0] - 2 in (2, 3):
            begun = line[0] in articles and line[at[0] + 1] in articles
            if begun and "nicht" not in line:
                checked += 1
                assert line in as_set(), line
    assert checked > 40


def test_a_wrong_ending_or_object_is_not_in_the_language():
    right = ("der", "alte", "Mann", "sieht", "einen", "kleinen", "Hund", ".")
    assert right in as_set()
    slips = {"der": "den", "einen": "ein", "kleinen": "kleine", "sieht": "sehen"}
    for word, other in slips.items():
        assert tuple(other if w == word else w for w in right) not in as_set()
    assert ("der", "Mann", "liest", "den", "Hund", ".") not in as_set()


@pytest.fixture(scope="module")
def world():
    return search.the_world()


@pytest.fixture(scope="module")
def model(world):
    """First weights, half as large again: unsure, but not alike for all words."""
    model = search.make_model(world, 0)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(1.5)
    return model.eval()


def test_what_is_judged_of_searches_by_hand(world, model, monkeypatch):
    pairs = world.test[:3]
    true = [world.tokenizers[1].encode(pair.target).ids for pair in pairs]
    dull = [[true[0][0]]] * 3

    def beams(model, source, mask, *, beams, alpha, max_length):
        """Greedy search is dull, wider ones get the first two sentences right."""
        ids = dull if beams == 1 else [true[0], true[1], dull[2]]
        return [[search.Hypothesis(one, -2.0, -2.0, True, None)] for one in ids]

    best = [search.Hypothesis(one, -1.0, -1.0, True, None) for one in true[:2]]
    best[0] = best[0]._replace(log_probability=-2.0)
    monkeypatch.setattr(search, "beam_hypotheses", beams)
    monkeypatch.setattr(search, "most_probable", lambda *_, **__: [*best, None])
    judged = search.judged(model, pairs, world)
    length = (len(true[0]) + len(true[1]) + 1) / sum(map(len, true))
    assert judged["beams"]["1"]["exact"] == 0
    wide = {"exact": 2 / 3, "likeliest": 0.5, "gained": 2 / 3, "lost": 0, "length": length}
    assert judged["beams"]["4"] == pytest.approx(wide, abs=1e-4)
    assert judged["best"] == pytest.approx({"exact": 1.0, "length": 1.0, "known": 2 / 3}, abs=1e-4)


@pytest.mark.parametrize("beams", [1, 3])
def test_the_tree_is_the_search_and_its_sums_are_the_models(world, model, beams):
    pair = world.test[0]
    steps = tree.searched(model, pair, world, beams).steps
    batch = search.batch_of([pair], world.tokenizers)
    best = search.searched(model, batch, beams=beams, longest=2 * len(pair.target))
    ends = [node.total for step in steps for node in step if node.ended]
    if best.log_probability[0] > float("-inf"):
        assert max(ends) == pytest.approx(best.log_probability[0], abs=2e-3)
    assert all(len(step) <= beams for step in steps)


def test_the_stored_tree_is_a_sentence_that_greedy_search_spoils():
    _, right, searches = tree.load()
    assert sorted(searches) == list(tree.WIDTHS)
    assert searches[1].written != right
    for width in tree.WIDTHS[1:]:
        assert searches[width].written == right
        assert searches[width].total > searches[1].total
    for stored in searches.values():
        before = [0.0]
        for step in stored.steps:
            assert all(node.total <= before[node.parent] + 2e-3 for node in step)
            before = [node.total for node in step]
