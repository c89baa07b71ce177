"""Beam search beside greedy search, and beside every sentence that there is."""

import itertools

import pytest
import torch

from course_lib.data.tokens.tokenizer import END, PAD, START, UNKNOWN
from course_lib.decoding.beam import beam, beam_hypotheses, length_penalty
from course_lib.decoding.greedy import greedy
from course_lib.models.protocol import EncoderDecoder
from course_lib.models.registry import build
from tests.sizes import small
from tests.stubs import NextWord, Reciter
from tests.watched import check_running_sums

A, B, C = 4, 5, 6
MOST = 3
SEEDS = {"cho": 11, "bahdanau": 5, "dot": 2, "luong": 8, "sutskever": 3, "transformer": 9}
"""With these the hypotheses of each model often change places, and take their rows with them."""
NAMES = tuple(SEEDS)


def strong(name: str, seed: int, words: int = 7, factor: float = 3.0) -> EncoderDecoder:
    """First weights make all sentences much alike; larger ones tell them apart."""
    model = build(name, small(name, words), torch.Generator().manual_seed(seed)).double().eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.mul_(factor)
    return model


def batch(*rows):
    width = max(map(len, rows))
    source = torch.tensor([[*row, *[PAD] * (width - len(row))] for row in rows])
    lengths = torch.tensor([len(row) for row in rows])
    return source, torch.arange(width) < lengths[:, None]


SOURCE = batch([A, B, C, END], [C, END], [B, B, END])


def log_probability(model: EncoderDecoder, row: int, ids: list[int], ended: bool = True) -> float:
    """Of one sentence, by teacher forcing."""
    source, mask = SOURCE[0][row : row + 1], SOURCE[1][row : row + 1]
    written = [*ids, END] if ended else ids
    with torch.no_grad():
        logits = model(source, mask, torch.tensor([[START, *written[:-1]]])).logits[0]
    return float(logits.log_softmax(-1).gather(1, torch.tensor(written)[:, None]).sum())


def every_sentence(model: EncoderDecoder, row: int, alpha: float) -> list[tuple[float, list[int]]]:
    """All finished sentences of at most MOST words with their scores, the best first."""
    found = []
    for length in range(MOST + 1):
        written = list(itertools.product([UNKNOWN, A, B, C], repeat=length))
        lines = torch.tensor([[START, *ids, END] for ids in written])
        source, mask = (part[row].expand(len(lines), -1) for part in SOURCE)
        with torch.no_grad():
            share = model(source, mask, lines[:, :-1]).logits.log_softmax(-1)
        p = share.gather(-1, lines[:, 1:, None]).sum((1, 2)) / ((5 + length + 1) / 6) ** alpha
        found += zip(p.tolist(), map(list, written), strict=True)
    return sorted(found, reverse=True)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_one_beam_is_greedy_search(name, seed):
    model = strong(name, seed)
    found = beam(model, *SOURCE, beams=1, max_length=6, return_attention=True)
    wanted = greedy(model, *SOURCE, max_length=6, return_attention=True)
    assert found.ids == wanted.ids
    assert found.finished == wanted.finished
    for one, other in zip(found.weights, wanted.weights, strict=True):
        assert (one is None) == (other is None)
        if one is not None:
            torch.testing.assert_close(one, other)


@pytest.mark.parametrize("words", [9, 40, 5000])
@pytest.mark.parametrize("beams", [1, 3])
def test_of_tied_tokens_the_smallest_id_is_taken(words, beams):
    """As greedy search takes it; `topk` may take any of them."""
    model = NextWord({}, words)
    model.table[:] = 0.0
    model.table[:, words // 2 :] = 1.0
    found = beam_hypotheses(model, *batch([A, END]), beams=beams, alpha=0.0, max_length=2)[0]
    assert found[0].ids == greedy(model, *batch([A, END]), max_length=2).ids[0]
    assert found[0].ids == [words // 2] * 2
    if beams > 1:
        first = words // 2
        assert [h.ids for h in found] == [[first, first + n] for n in range(3)]


@pytest.mark.parametrize("alpha", [0.0, 0.6, 2.0])
@pytest.mark.parametrize("name", ["cho", "transformer"])
def test_enough_beams_find_the_best_of_all_sentences(name, alpha):
    model = strong(name, seed=4, factor=1.5)
    # 4³ beginnings of three words, each with 5 tokens that may follow.
    found = beam_hypotheses(model, *SOURCE, beams=4**3 * 5, alpha=alpha, max_length=MOST)
    for row, hypotheses in enumerate(found):
        wanted = every_sentence(model, row, alpha)
        assert hypotheses[0].ids == wanted[0][1]
        assert hypotheses[0].normalised == pytest.approx(wanted[0][0], abs=1e-8)
        scores = {tuple(ids): score for score, ids in wanted}
        for hypothesis in hypotheses:
            assert hypothesis.normalised == pytest.approx(scores[tuple(hypothesis.ids)], abs=1e-8)
            assert hypothesis.finished
        assert [h.normalised for h in hypotheses] == sorted(
            (h.normalised for h in hypotheses), reverse=True
        )


@pytest.mark.parametrize("name", NAMES)
def test_a_batch_is_searched_as_its_sentences_alone_and_scores_are_the_models(name):
    model = strong(name, SEEDS[name])
    together = beam_hypotheses(model, *SOURCE, beams=3, max_length=5, return_attention=True)
    for row, hypotheses in enumerate(together):
        real = int(SOURCE[1][row].sum())
        source = SOURCE[0][row : row + 1, :real], SOURCE[1][row : row + 1, :real]
        (alone,) = beam_hypotheses(model, *source, beams=3, max_length=5, return_attention=True)
        assert [h.ids for h in hypotheses] == [h.ids for h in alone]
        for one, other in zip(hypotheses, alone, strict=True):
            forced = log_probability(model, row, one.ids, one.finished)
            assert one.log_probability == pytest.approx(forced, abs=1e-8)
            assert one.normalised == pytest.approx(other.normalised, abs=1e-8)
            length = len(one.ids) + one.finished
            assert one.normalised == pytest.approx(forced / length_penalty(length, 0.6), abs=1e-8)
            if one.weights is not None and one.ids:
                prefix = torch.tensor([[START, *one.ids[:-1]]])
                with torch.no_grad():
                    wanted = model(*source, prefix, return_attention=True).attention[0]
                torch.testing.assert_close(one.weights, wanted)


@pytest.mark.parametrize("name", NAMES)
def test_at_every_step_the_sums_are_those_of_teacher_forcing_though_places_change(name):
    assert check_running_sums(strong(name, SEEDS[name]), *SOURCE) > 10


class Chain(NextWord):
    """Chooses by the last token, with given probabilities."""

    def __init__(self, shares: dict[int, dict[int, float]]) -> None:
        super().__init__({}, 7)
        self.table.fill_(1e-9)
        for token, nexts in shares.items():
            for after, share in nexts.items():
                self.table[token, after] = share
        self.table.log_()


TRAP = {START: {A: 0.6, B: 0.4}, A: {C: 0.5, END: 0.5}, B: {END: 1.0}, C: {END: 1.0}}


def test_two_beams_see_past_the_first_step_where_greedy_search_cannot():
    model, source = Chain(TRAP), batch([A, END])
    assert greedy(model, *source, max_length=4).ids in ([[A, C]], [[A]])
    best = beam_hypotheses(model, *source, beams=3, alpha=0.0, max_length=4)[0][0]
    assert best.ids == [B]
    assert best.log_probability == pytest.approx(torch.tensor(0.4).log().item(), abs=1e-4)


def test_the_penalty_is_gnmts_and_lets_long_sentences_win():
    assert length_penalty(1, 0.7) == 1.0
    assert length_penalty(13, 0.6) == pytest.approx(3**0.6)
    shares = {START: {A: 0.5, END: 0.5}, A: {B: 0.9}, B: {C: 0.9}, C: {END: 0.99}}
    found = [
        beam(Chain(shares), *batch([A, END]), beams=2, alpha=alpha, max_length=5).ids[0]
        for alpha in (0.0, 1.0)
    ]
    assert found == [[], [A, B, C]]


def test_an_ended_hypothesis_keeps_its_place():
    """Two beams: END at once takes one, and only the better way on from A is left the other."""
    shares = {START: {A: 0.6, END: 0.4}, A: {B: 0.6, END: 0.4}, B: {END: 1.0}}
    (found,) = beam_hypotheses(Chain(shares), *batch([A, END]), beams=2, alpha=2.0, max_length=5)
    assert sorted(h.ids for h in found) == [[], [A, B]]


def test_sentences_that_cannot_get_better_leave_the_batch():
    model = Reciter()
    found = beam(model, *batch([A, END], [A, B, C, A, END]), beams=2, max_length=50)
    assert found.ids == [[A], [A, B, C, A]]
    assert [len(fed) for fed in model.fed] == [4, 4, 2, 2, 2]


def test_what_never_ends_is_cut_off():
    found = beam_hypotheses(Reciter(never_ends=True), *batch([A, B, END]), beams=2, max_length=2)
    assert found[0][0].ids == [A, B]
    assert not any(h.finished for h in found[0])
    assert len({tuple(h.ids) for h in found[0]}) == 2
    weights = beam(
        Reciter(never_ends=True), *batch([A, B, END]), beams=2, max_length=2, return_attention=True
    )
    assert torch.equal(weights.weights[0], torch.eye(3)[:2])


def test_pad_and_start_are_never_written_even_if_preferred():
    model = Reciter(loved=[PAD, START])
    found = beam_hypotheses(model, *batch([A, B, END]), beams=4, max_length=3)
    assert found[0][0].ids == [A, B]
    assert not {PAD, START} & {token for h in found[0] for token in h.ids}


def test_the_search_can_be_watched():
    """Going back from each end by the parents gives the sentences that were found."""
    model, steps = strong("transformer", 7), []
    found = beam_hypotheses(model, *SOURCE, beams=3, max_length=5, watch=steps.append)
    unseen = beam_hypotheses(model, *SOURCE, beams=3, max_length=5)
    assert [[h.ids for h in row] for row in found] == [[h.ids for h in row] for row in unseen]
    seen = [[] for _ in found]
    for t, step in enumerate(steps):
        for n, j in ((step.newest == END) & step.exists).nonzero().tolist():
            ids, beam_of, sentence = [], int(step.parent[n, j]), step.sentence[n]
            for before in reversed(steps[:t]):
                row = before.sentence.index(sentence)
                ids.insert(0, int(before.newest[row, beam_of]))
                beam_of = int(before.parent[row, beam_of])
            seen[sentence].append((ids, float(step.log_p[n, j])))
    for hypotheses, told in zip(found, seen, strict=True):
        whole = sorted((h.ids, h.log_probability) for h in hypotheses if h.finished)
        assert whole == sorted(told)
    assert any(not ((s.newest == END) & s.exists).any() for s in steps)


def test_a_sentence_is_searched_while_the_longest_could_still_win():
    shares = {START: {END: 0.65, A: 0.35}, A: {B: 1}, B: {C: 1}, C: {1: 1}, 1: {END: 1}}
    found = beam(Chain(shares), *batch([A, END]), beams=2, alpha=2.0, max_length=4)
    assert found.ids == [[A, B, C, 1]]


def test_log_probabilities_are_taken_in_single_precision():
    model = Chain({START: {A: 0.3, B: 0.7}, B: {END: 1.0}}).bfloat16()
    found = beam_hypotheses(model, *batch([A, END]), beams=2, alpha=0.0, max_length=3)[0][0]
    table = model.table.float().log_softmax(-1)
    assert found.ids == [B]
    assert found.log_probability == pytest.approx(float(table[START, B] + table[B, END]), abs=1e-6)
