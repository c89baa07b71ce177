"""Chapter 9: what one head can and cannot do, gaps by relation, and the cost of a silent head."""

import pytest
import torch

from course_lab.experiments.multi_head import difference, gaps, heads
from course_lab.experiments.multi_head.difference import VARIANTS, Reader, draw, left_over
from course_lab.experiments.multi_head.relations import KINDS, Parsed, Relation
from course_lib.device import cpu_generator
from course_lib.models.cloze import Cloze, without_heads

WORLD = gaps.make_world(300, 60)
ASKED = heads.asked(WORLD.test, WORLD.vocabulary)
MODEL = gaps.make_model(gaps.HEADS, WORLD, 0).eval()


def by_hand(variant: str, signs: list[float]) -> Reader:
    """Head h looks at one position of `ASKED` (a single head at both), multiplied by its sign."""
    model = Reader(VARIANTS[variant]).double().eval()
    attention, width = model.attention, difference.WIDTH
    with torch.no_grad():
        for part in model.parameters():
            part.zero_()
        model.query.bias[0] = 1.0
        for h, sign in enumerate(signs):
            first, begin = h * attention.key_width, h * attention.value_width
            attention.queries.weight[first, 0] = 1.0
            for position in difference.ASKED if len(signs) == 1 else difference.ASKED[h : h + 1]:
                attention.keys.weight[first, width + position] = 1e3
            attention.values.weight[begin : begin + width, :width] = torch.eye(width)
            attention.output.weight[:width, begin : begin + width] = sign * torch.eye(width)
    return model


def test_two_heads_can_give_a_difference():
    model, rows = by_hand("two heads", [1.0, -1.0]), draw("difference", cpu_generator(1), 20)
    torch.testing.assert_close(model(rows.memory.double()), rows.wanted.double())
    assert model.looks(rows.memory.double())[0].argmax(-1).tolist() == list(difference.ASKED)


def test_one_head_can_give_a_sum_and_leaves_half_of_a_difference_at_best():
    model, rows = by_hand("one head", [2.0]), draw("sum", cpu_generator(1), 20)
    torch.testing.assert_close(model(rows.memory.double()), rows.wanted.double())
    single = by_hand("one head", [1.0])
    with torch.no_grad():  # it looks at one of the two
        single.attention.keys.weight[0, difference.WIDTH + difference.ASKED[1]] = 0.0
    assert left_over(single.float(), "difference") == pytest.approx(0.5, abs=0.01)


def test_the_number_of_parameters_does_not_depend_on_the_number_of_heads():
    sizes = {sum(p.numel() for p in gaps.make_model(n, WORLD, 0).parameters()) for n in (1, 2, 4)}
    assert len(sizes) == 1


def test_a_head_that_looks_at_the_partner_is_found_and_no_other():
    class Looking(Cloze):
        def attention_maps(self, tokens, real):
            """Head 0 looks at the next word, head 1 at the last one of the row."""
            size = tokens.shape[1]
            following = torch.eye(size).roll(1, 1).expand(len(tokens), -1, -1)
            last = torch.zeros(len(tokens), size, size)
            last[..., -1] = 1
            return torch.stack([following, last], 1).unsqueeze(1)

    kind = "determiner to noun"
    parsed = Parsed(("the", "dog", "sleeps"), (Relation(kind, 0, frozenset({1})),))
    asked = heads.asked([parsed, *WORLD.test], WORLD.vocabulary)
    of_kind = [i for i, each in enumerate(asked.kinds) if each == kind]
    next_word = asked.batch.inputs[2][of_kind] + 1
    right = asked.partners[of_kind, next_word].float().mean().item()
    shares = heads.found(Looking(MODEL.config), asked)[kind]
    assert shares == [[pytest.approx(right, abs=1e-4), 0.0]]


def test_a_cost_is_the_loss_that_the_silent_head_adds():
    costs = heads.costs(MODEL, ASKED)
    assert set(costs) == set(KINDS)
    of_kind = ASKED.of_kind("verb to object")

    def nats(model):
        with torch.no_grad():
            logits = model(*ASKED.batch.inputs)
        return torch.nn.functional.cross_entropy(logits[of_kind], ASKED.batch.label[of_kind])

    wanted = nats(without_heads(MODEL, [(1, 2)])) - nats(MODEL)
    assert costs["verb to object"][1][2] == pytest.approx(wanted.item(), abs=2e-4)
