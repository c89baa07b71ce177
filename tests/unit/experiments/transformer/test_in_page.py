"""The Transformer that a page runs: its sentences, what it writes of them, and its figure."""

import pytest

from course_lab.experiments.transformer import in_page, peers


@pytest.fixture(scope="module")
def stored():
    return in_page.load()


def test_the_sentences_are_the_grammars_and_were_not_trained_on():
    world = peers.make_world()
    trained_on = {pair.source for pair in world.train}
    right = {" ".join(pair.source): " ".join(pair.target) for pair in (*world.test, *world.beyond)}
    for source, target in in_page.SENTENCES:
        assert tuple(source.split()) not in trained_on
        if source != in_page.SENTENCE:
            assert right[source] == target
    lengths = [len(source.split()) for source, _ in in_page.SENTENCES]
    assert [length > peers.LONGEST for length in lengths] == [False] * 5 + [True] * 3


def test_the_head_is_the_one_that_finds_the_links_best(stored):
    world = peers.make_world()
    rates = peers.head_error_rates(stored.model, world.valid[: peers.LINKED], world)
    assert min(rates, key=rates.get) == in_page.HEAD


def test_what_is_said_without_a_script_is_what_the_network_writes(stored):
    opening = in_page.written(in_page.SENTENCES[0][0].split(), *stored)
    assert " ".join(opening.words) == in_page.SENTENCES[0][1]
    assert [row[0][0] for row in opening.next] == [*opening.words, "end"]
    figure = in_page.translator({"Ball": "ball"})
    assert opening.words[in_page.STEP] == "getragen"
    assert "“getragen” at “carried”" in figure.alt
    html = figure._repr_html_()
    assert html.count("<tr>") == 2 + len(opening.words)
    assert 'class="cl-net" data-name="transformer"' in html
