"""Where a sentence ends: at END, at `max_length`, or where a model's learned positions end."""

import pytest
import torch

from course_lib.decoding.beam import beam
from course_lib.decoding.exact import most_probable
from course_lib.decoding.generate import NEVER, SearchLimits
from course_lib.decoding.greedy import greedy
from course_lib.decoding.sample import sample
from course_lib.models.gpt import GPT, gpt2
from course_lib.models.language_model import Continuing
from course_lib.models.transformer import Transformer, TransformerConfig
from tests.sizes import strong
from tests.unit.decoding.test_beam import START, B, C, Chain, batch

PROMPTS = torch.tensor([[2, 5, 6], [2, 7, 0]])
POSITIONS = 6


def transformer(positions: str = "learned") -> Transformer:
    config = TransformerConfig(
        9, 9, width=8, heads=2, layers=1, positions=positions, max_length=POSITIONS
    )
    return strong(Transformer(config), 1.0, 0).float()


def continuing() -> Continuing:
    config = gpt2(9, width=8, heads=2, layers=1, max_length=POSITIONS)
    return Continuing(strong(GPT(config), 1.0, 0).float())


def drawing(*source, **limits):
    return sample(*source, generator=torch.Generator().manual_seed(0), **limits)


@pytest.mark.parametrize("search", [greedy, beam, drawing])
@pytest.mark.parametrize(("make", "room"), [(transformer, 6), (continuing, 4)])
def test_a_sentence_ends_where_learned_positions_end(search, make, room):
    """The longest prompt has three tokens, and the last of them is read in the first step."""
    decoded = search(make(), PROMPTS, PROMPTS > 0, end=NEVER, max_length=30)
    assert [len(ids) for ids in decoded.ids] == [room, room]
    assert decoded.finished == [False, False]
    shorter = search(make(), PROMPTS, PROMPTS > 0, end=NEVER, max_length=room)
    assert shorter.ids == decoded.ids


@pytest.mark.parametrize("search", [greedy, beam])
def test_the_limit_of_positions_is_that_of_length(search):
    """Read with sinusoids, which do not end, and with their first values learned."""
    learned, endless = transformer(), transformer("sinusoidal")
    own = {k: v for k, v in learned.state_dict().items() if "position" not in k}
    endless.load_state_dict(own)
    sines = endless.target_embed.position(torch.arange(POSITIONS))
    for embed in (learned.source_embed, learned.target_embed):
        embed.position.table.weight.data.copy_(sines)
    for limits in ({"max_length": 30, "end": NEVER}, {"max_length": 4}, {"max_length": 5}):
        ours = search(learned, PROMPTS, PROMPTS > 0, **limits)
        limits["max_length"] = min(limits["max_length"], POSITIONS)
        theirs = search(endless, PROMPTS, PROMPTS > 0, **limits)
        assert ours.ids == theirs.ids
        assert ours.finished == theirs.finished


def test_exact_search_stays_within_learned_positions():
    (best,) = most_probable(transformer(), PROMPTS[:1], PROMPTS[:1] > 0, max_length=30)
    assert best is None or len(best.ids) < POSITIONS


@pytest.mark.parametrize(("end", "steps"), [(NEVER, 3), (8, 4)])
def test_without_an_end_no_step_is_made_to_see_it(end, steps):
    model = transformer()
    memory = model.encode(PROMPTS, PROMPTS > 0)
    assert SearchLimits(max_length=3, end=end).steps(model, memory) == steps


def test_limits_that_cannot_be_are_refused():
    with pytest.raises(TypeError, match="max_leng"):
        greedy(transformer(), PROMPTS, PROMPTS > 0, max_lenght=3)


@pytest.mark.parametrize("search", ["beam", "sample", "exact"])
def test_another_end_token(search):
    model = Chain({START: {C: 1.0}, C: {B: 1.0}})
    asked = {"end": B, "max_length": 4}
    if search == "exact":
        found = [h.ids for h in most_probable(model, *batch([C, B]), **asked)]
    else:
        ways = {
            "beam": beam,
            "sample": lambda *b, **k: sample(*b, generator=torch.Generator(), **k),
        }
        found = ways[search](model, *batch([C, B]), **asked).ids
    assert found == [[C]]
