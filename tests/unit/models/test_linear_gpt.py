"""The GPT with a linear mixer: `GPT` with softmax; causal; stepping is teacher forcing."""

from dataclasses import asdict

import pytest
import torch

from course_lib.data.tokens.tokenizer import PAD, START
from course_lib.decoding import NEVER, beam_hypotheses, greedy
from course_lib.models.gpt import GPT, GPTConfig
from course_lib.models.language_model import Continuing
from course_lib.models.linear_gpt import MIXERS, LinearGPT, LinearGPTConfig
from course_lib.models.mixers import RULES, LinearMixer, ShortConvolution
from course_lib.models.protocol import Batched
from tests.kinds import stepwise
from tests.sizes import random, strong

WORDS, T = 11, 7
SIZES = {"width": 16, "heads": 4, "layers": 2, "feed_forward": 24, "max_length": 32}
EXACT = {"rtol": 0, "atol": 1e-10}
VARIANTS = {
    f"{mixer}, convolution {c}": {"mixer": mixer, "convolution": c}
    for mixer in MIXERS
    for c in (0, 1, 4)
} | {
    "linear, plain sum": {"mixer": "linear", "normaliser": False, "convolution": 3},
    "decay, rotary": {"mixer": "decay", "positions": "rotary"},
    "delta, learned": {"mixer": "delta", "positions": "learned", "convolution": 4},
    "delta, other widths": {"mixer": "delta", "key_width": 3, "value_width": 5},
    "softmax, llama": {
        "positions": "rotary",
        "rms": True,
        "swiglu": True,
        "kv_heads": 2,
        "convolution": 4,
    },
}


def build(seed: int = 0, **settings) -> LinearGPT:
    config = LinearGPTConfig(WORDS, **SIZES | settings)
    return LinearGPT(config, torch.Generator().manual_seed(seed))


def some_tokens(seed: int = 1, length: int = T) -> torch.Tensor:
    return torch.randint(4, WORDS, (3, length), generator=torch.Generator().manual_seed(seed))


@pytest.fixture(params=VARIANTS, ids=str)
def model(request) -> LinearGPT:
    return strong(build(**VARIANTS[request.param]))


@pytest.mark.parametrize("convolution", [0, 4])
def test_with_softmax_it_is_gpt_to_the_bit(convolution):
    """At first with a convolution too, which begins as the identity."""
    gpt = GPT(GPTConfig(WORDS, **SIZES), torch.Generator().manual_seed(0))
    ours = build(convolution=convolution)
    names = [name for name, _ in ours.named_parameters() if "convolution" not in name]
    assert names == [name for name, _ in gpt.named_parameters()]
    for name in names:
        assert torch.equal(ours.get_parameter(name), gpt.get_parameter(name)), name
    tokens, real = some_tokens(), torch.arange(T) < torch.tensor([7, 4, 1])[:, None]
    assert torch.equal(ours(tokens), gpt(tokens))
    for mask in (real, real.flip(1)):
        assert torch.equal(ours(tokens, mask)[mask], gpt(tokens, mask)[mask])


@pytest.mark.parametrize("mixer", RULES)
def test_one_seed_gives_all_mixers_the_same_first_weights(mixer):
    gpt, ours = build(), build(mixer=mixer, convolution=4)
    for name, weight in gpt.named_parameters():
        assert torch.equal(ours.get_parameter(name), weight), name
    own = {n for n, _ in ours.named_parameters()} - {n for n, _ in gpt.named_parameters()}
    kinds = {name.split(".", 2)[2] for name in own}
    assert kinds == {"convolution.weight"} | (
        {"self_attention.beta"} if mixer == "delta" else set()
    )


@pytest.mark.parametrize("mixer", RULES)
def test_a_mixer_computes_its_equations(mixer):
    """Written out token by token, from the layers of the mixer."""
    part = strong(LinearMixer(8, 2, mixer))
    x = random(1, 5, 8)
    heads = []
    for h in range(2):
        at = slice(4 * h, 4 * h + 4)
        q, k, v = (f(x[0])[:, at] for f in (part.queries, part.keys, part.values))
        if mixer == "linear":
            q, k = (torch.where(y > 0, y + 1, y.exp()) for y in (q, k))
        if mixer == "delta":
            q, k = (y * y.sigmoid() for y in (q, k))
            q, k = (y / y.square().sum(-1, keepdim=True).sqrt() for y in (q, k))
        state, keys, read = torch.zeros(4, 4).double(), torch.zeros(4).double(), []
        for t in range(5):
            if mixer == "decay":
                state = (1 - 1 / (32, 64)[h]) * state
            write = v[t]
            if mixer == "delta":
                write = (x[0, t] @ part.beta[h]).sigmoid() * (v[t] - k[t] @ state)
            state, keys = state + torch.outer(k[t], write), keys + k[t]
            c = q[t] @ state
            scale = q[t] @ keys if mixer == "linear" else (c.square().mean() + 1e-5).sqrt()
            read.append(c / scale)
        heads.append(torch.stack(read))
    wanted = part.output(torch.cat(heads, -1))
    context, _ = part(x, torch.arange(5))
    torch.testing.assert_close(context[0], wanted, **EXACT)


def test_the_convolution_is_causal_and_torchs():
    part = strong(ShortConvolution(6, 4))
    x = random(2, 9, 6)
    conv = torch.nn.Conv1d(6, 6, 4, groups=6, bias=False, padding=3).double()
    conv.weight.data = part.weight.T.unsqueeze(1)
    whole, recent = part(x)
    torch.testing.assert_close(whole, conv(x.mT)[..., :9].mT, **EXACT)
    first, kept = part(x[:, :2])
    second, last = part(x[:, 2:], kept)
    torch.testing.assert_close(torch.cat([first, second], 1), whole, **EXACT)
    assert torch.equal(last, recent)
    assert torch.equal(recent, x[:, -3:])


def test_later_tokens_have_no_influence_and_earlier_ones_have(model):
    tokens = some_tokens()
    other = tokens.clone()
    other[:, 3] = 4 + (other[:, 3] - 3) % (WORDS - 4)
    one, two = model(tokens), model(other)
    torch.testing.assert_close(one[:, :3], two[:, :3], **EXACT)
    assert ((one[:, 3:] - two[:, 3:]).abs() > 1e-6).any(-1).all()


def test_padding_has_no_influence(model):
    tokens, lengths = some_tokens(), (7, 4, 1)
    real = torch.arange(T) < torch.tensor(lengths)[:, None]
    for mask in (real, real.flip(1)):
        one = model(tokens, mask)
        two = model(torch.where(mask, tokens, PAD), mask)
        for row in range(3):
            alone = model(tokens[row][mask[row]][None])[0]
            torch.testing.assert_close(one[row][mask[row]], alone, **EXACT)
            torch.testing.assert_close(two[row][mask[row]], alone, **EXACT)


def test_stepping_equals_teacher_forcing_and_the_whole_pass(model):
    """Prompts with padding on the right, on the left and on both sides; START alone is one."""
    _, a, b, c = (START, 5, 6, 7)
    prompts = [
        [START, a, b, c, 9],
        [START, 9, PAD, PAD, PAD],
        [PAD, PAD, PAD, START, 8],
        [PAD, START, b, 10, PAD],
        [START, PAD, PAD, PAD, PAD],
    ]
    source = torch.tensor(prompts)
    real = source != PAD
    written = torch.randint(4, WORDS, (5, 6), generator=torch.Generator().manual_seed(2))
    written[:, 0] = START
    wrapped = Continuing(model)
    stepped = stepwise(wrapped, source, real, written).logits
    torch.testing.assert_close(wrapped(source, real, written).logits, stepped, **EXACT)
    for row in range(5):
        prompt = source[row][real[row]]
        whole = model(torch.cat([prompt, written[row, 1:]])[None])[0, len(prompt) - 1 :]
        torch.testing.assert_close(stepped[row], whole, **EXACT)


def numbers(record) -> int:
    """How many numbers a state holds."""
    if isinstance(record, torch.Tensor):
        return record.numel()
    if isinstance(record, Batched):
        record = tuple(vars(record).values())
    return sum(numbers(part) for part in record if part is not None)


@pytest.mark.parametrize("mixer", MIXERS)
def test_the_state_of_a_linear_mixer_does_not_grow(mixer):
    wrapped = Continuing(strong(build(mixer=mixer, convolution=4)))
    held = []
    for length in (2, 20):
        source = torch.full((1, length), 5)
        state = wrapped.start(wrapped.encode(source, source > 0))
        held.append(numbers(state))
        state = wrapped.step(torch.tensor([5]), state, wrapped.encode(source, source > 0)).state
        held.append(numbers(state))
    if mixer == "softmax":
        assert held[0] < held[1] < held[2] < held[3]
        return
    # A layer: 4 heads of 4 x 4, as many sums of 4 keys, 3 vectors of 16; position and `fresh`.
    keys = 4 * 4 if mixer == "linear" else 0
    assert set(held) == {2 * (4 * 4 * 4 + keys + 3 * 16) + 2}


def test_greedy_search_and_beam_search_write_what_the_whole_pass_says(model):
    prompts = torch.tensor([[START, 5, 6, 7], [START, 9, PAD, PAD]])
    how = {"max_length": 5, "end": NEVER}
    wrapped = Continuing(model)
    written = greedy(wrapped, prompts, prompts != PAD, **how).ids
    beams = beam_hypotheses(wrapped, prompts, prompts != PAD, beams=3, **how)
    for row, length in enumerate((4, 2)):
        text = prompts[row, :length]
        for token in written[row]:
            logits = model(text[None])[0, -1]
            logits[[PAD, START]] = -torch.inf
            assert token == logits.argmax()
            text = torch.cat([text, torch.tensor([token])])
        for best in beams[row]:
            text = torch.cat([prompts[row, :length], torch.tensor(best.ids)])
            log_p = model(text[None])[0].log_softmax(-1)[length - 1 : -1]
            total = log_p.gather(1, text[length:, None]).sum()
            assert best.log_probability == pytest.approx(total.item(), abs=1e-4)


@pytest.mark.parametrize("mixer", MIXERS)
def test_every_weight_gets_a_gradient(mixer):
    model = build(mixer=mixer, convolution=4)
    model(some_tokens()).logsumexp(-1).sum().backward()
    for name, weight in model.named_parameters():
        # A bias of all keys alike changes no softmax.
        if not (mixer == "softmax" and name.endswith("keys.bias")):
            assert (weight.grad != 0).any(), name


def test_the_config_round_trips():
    config = LinearGPTConfig(WORDS, mixer="delta", convolution=4, rms=True)
    assert LinearGPTConfig(**asdict(config)) == config


def test_what_it_has_not_is_refused():
    for rule in ("linear", "delta"):
        with pytest.raises(ValueError, match="not rotary"):
            build(mixer=rule, positions="rotary")
    with pytest.raises(ValueError, match="want a rule out of"):
        LinearMixer(8, 2, "softmax")
    model = build(mixer="delta")
    empty = torch.tensor([[PAD, PAD]])
    with pytest.raises(ValueError, match="empty prompt"):
        Continuing(model).encode(empty, empty != PAD)
