"""The decoder alone: parity with torch, prompts of different length, and every way to write."""

import pytest
import torch
from torch import nn

from course_lib.attention.masks import causal_mask
from course_lib.data.tokens.tokenizer import END, PAD, START
from course_lib.decoding.beam import beam_hypotheses
from course_lib.decoding.greedy import greedy
from course_lib.decoding.sample import sample
from course_lib.models.language_model import Continuing, LanguageModel, LanguageModelConfig
from tests.kinds import stepwise
from tests.sizes import for_torch, strong
from tests.watched import check_running_sums

WORDS = 11
POSITIONS = ("sinusoidal", "learned", "rotary", "none")
PROMPTS = torch.tensor([[START, 5, 6, 7], [START, 9, PAD, PAD], [START, PAD, PAD, PAD]])
REAL = torch.arange(4) < torch.tensor([4, 2, 1])[:, None]


def make(seed: int = 0, **settings) -> LanguageModel:
    config = {"width": 8, "heads": 2, "layers": 2, "feed_forward": 12} | settings
    return strong(LanguageModel(LanguageModelConfig(WORDS, **config)), 0.6, seed)


def test_it_equals_torchs_encoder_under_a_causal_mask():
    model = make(norm="post", positions="none")
    layer = nn.TransformerEncoderLayer(8, 2, 12, 0.0, batch_first=True, dtype=torch.float64)
    tokens = torch.randint(WORDS, (3, 5), generator=torch.Generator().manual_seed(1))
    x = 8**0.5 * model.embed.table.weight[tokens]
    for ours in model.layers:
        layer.load_state_dict(for_torch(ours))
        x = layer(x, src_mask=~causal_mask(5)[0])
    torch.testing.assert_close(model(tokens), x @ model.embed.table.weight.T)


@pytest.mark.parametrize("positions", POSITIONS)
def test_a_prompt_is_continued_as_the_whole_line_would_be_read(positions):
    model = make(positions=positions)
    written = torch.tensor([[START, 4, 8, 10], [START, 6, 6, 3], [START, 10, 5, 4]])
    continuing = Continuing(model)
    whole = continuing(PROMPTS, REAL, written).logits
    stepped = stepwise(continuing, PROMPTS, REAL, written).logits
    torch.testing.assert_close(stepped, whole, atol=1e-10, rtol=0)
    for row, length in enumerate((4, 2, 1)):
        line = torch.cat([PROMPTS[row, :length], written[row, 1:]])[None]
        torch.testing.assert_close(whole[row], model(line)[0, length - 1 :])


@pytest.mark.parametrize("positions", POSITIONS)
def test_prompts_that_are_padded_in_front_are_read_as_if_each_stood_alone(positions):
    model = make(positions=positions)
    lengths, real = (4, 2, 1), REAL.flip(1)
    left = torch.stack([row.roll(-n) for row, n in zip(PROMPTS, lengths, strict=True)])
    together, maps = model(left, real), model.attention_maps(left, real)
    found = greedy(Continuing(model), left, real, max_length=5)
    for row, length in enumerate(lengths):
        line = PROMPTS[row : row + 1, :length]
        torch.testing.assert_close(together[row, -length:], model(line)[0])
        for layer, alone in zip(maps, model.attention_maps(line), strict=True):
            torch.testing.assert_close(layer[row, :, -length:, -length:], alone[0])
        alone = greedy(Continuing(model), line, REAL[row : row + 1, :length], max_length=5)
        assert found.ids[row] == alone.ids[0]


@pytest.fixture(params=[(False, 0.0), (True, 0.0), (True, 0.1)], ids=["eval", "train", "dropout"])
def moded(request) -> LanguageModel:
    training, dropout = request.param
    return make(dropout=dropout, attention_dropout=dropout).train(training)


def drawn_alike(function, *inputs):
    """What is dropped is drawn anew, the same for all."""
    torch.manual_seed(0)
    return function(*inputs)


def test_later_tokens_and_padding_have_no_influence(moded):
    tokens = torch.randint(WORDS, (3, 6), generator=torch.Generator().manual_seed(1))
    other = tokens.clone()
    other[:, 4:] = (other[:, 4:] + 1) % WORDS
    one, two = drawn_alike(moded, tokens), drawn_alike(moded, other)
    assert torch.equal(one[:, :4], two[:, :4])
    assert (one[:, 4:] != two[:, 4:]).any(-1).all()
    junk = torch.where(REAL, PROMPTS, 7)
    fed = torch.tensor([[START, 4]] * 3)
    one, two = (drawn_alike(Continuing(moded), p, REAL, fed).logits for p in (PROMPTS, junk))
    assert torch.equal(one, two)


def test_later_tokens_and_padding_get_no_gradient(moded):
    embedded = []
    moded.embed.register_forward_hook(lambda *passed: embedded.append(passed[-1]))
    tokens = torch.randint(WORDS, (3, 6), generator=torch.Generator().manual_seed(1))
    logits = drawn_alike(moded, tokens)
    for t in range(6):
        (gradient,) = torch.autograd.grad(
            logits[:, t].square().sum(), embedded[0], retain_graph=True
        )
        assert (gradient[:, t + 1 :] == 0).all()
        assert (gradient[:, : t + 1] != 0).any(-1).all()
    fed = torch.tensor([[START, 4, 8]] * 3)
    logits = drawn_alike(Continuing(moded), PROMPTS, REAL, fed).logits
    for t in range(3):
        prompt, written = torch.autograd.grad(
            logits[:, t].square().sum(), embedded[1:], retain_graph=True
        )
        # The last token of a prompt is read again, as the first that is fed.
        read = torch.arange(4).flip(0) < REAL.sum(1, keepdim=True) - 1  # padding is in front
        assert torch.equal((prompt != 0).any(-1), read)
        assert (written[:, t + 1 :] == 0).all()
        assert (written[:, : t + 1] != 0).any(-1).all()


def test_every_way_to_write_serves_it():
    model, continuing = make(seed=2), Continuing(make(seed=2))
    found = greedy(continuing, PROMPTS, REAL, max_length=5, return_attention=True)
    assert found.weights == [None] * 3
    for row, length in enumerate((4, 2, 1)):
        line = PROMPTS[row, :length].tolist()
        for token in [*found.ids[row], *([END] if found.finished[row] else [])]:
            logits = model(torch.tensor([line]))[0, -1]
            logits[[PAD, START]] = -torch.inf
            assert int(logits.argmax()) == token
            line.append(token)
    one = sample(continuing, PROMPTS, REAL, generator=torch.Generator(), top_k=1, max_length=5)
    assert one.ids == found.ids
    for row, hypotheses in enumerate(
        beam_hypotheses(continuing, PROMPTS, REAL, beams=3, max_length=4)
    ):
        best = hypotheses[0]
        line = [*PROMPTS[row][REAL[row]].tolist(), *best.ids, *([END] if best.finished else [])]
        known = int(REAL[row].sum())
        share = model(torch.tensor([line[:-1]]))[0].log_softmax(-1).detach()
        wanted = sum(float(share[t - 1, line[t]]) for t in range(known, len(line)))
        assert best.log_probability == pytest.approx(wanted, abs=1e-8)


@pytest.mark.parametrize("positions", POSITIONS)
def test_beams_that_change_places_take_their_rows_with_them(positions):
    continuing = Continuing(make(seed=0, positions=positions))
    assert check_running_sums(continuing, PROMPTS, REAL) > 5
