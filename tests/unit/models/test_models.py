"""Every translator keeps the protocol: stepping equals forward, padding has no influence."""

from dataclasses import asdict

import pytest
import torch
from torch import nn

from course_lib.errors import CourseError
from course_lib.models.parts import MaxoutOutput, initialise, reverse_padded
from course_lib.models.protocol import stepwise
from course_lib.models.registry import MODELS, build
from tests.sizes import small

SOURCE_WORDS, TARGET_WORDS = 17, 13
ATTENTIVE = ("bahdanau", "dot", "lstmn", "luong", "transformer")


def settings(name: str) -> dict:
    """Small sizes; the autoencoder has one vocabulary on both sides."""
    return small(name, SOURCE_WORDS, SOURCE_WORDS if name == "autoencoder" else TARGET_WORDS)


def make(name: str, seed: int = 0, **more) -> nn.Module:
    generator = torch.Generator().manual_seed(seed)
    return build(name, {**settings(name), **more}, generator).eval()


def sentences(lengths: list[int], target: int = 5, seed: int = 1):
    generator = torch.Generator().manual_seed(seed)
    size = max(lengths)
    source = torch.randint(4, SOURCE_WORDS, (len(lengths), size), generator=generator)
    mask = torch.arange(size) < torch.tensor(lengths)[:, None]
    target_in = torch.randint(2, TARGET_WORDS, (len(lengths), target), generator=generator)
    return source, mask, target_in


@pytest.fixture(params=sorted(MODELS))
def name(request) -> str:
    return request.param


def test_stepping_token_by_token_equals_forward(name):
    model = make(name)
    batch = sentences([7, 3, 1, 5], target=6)
    whole, stepped = (
        model(*batch, return_attention=True),
        stepwise(model, *batch, return_attention=True),
    )
    torch.testing.assert_close(stepped.logits, whole.logits, atol=1e-5, rtol=1e-5)
    assert (whole.attention is None) == (name not in ATTENTIVE)
    if whole.attention is not None:
        torch.testing.assert_close(stepped.attention, whole.attention, atol=1e-5, rtol=1e-5)


def test_stepping_equals_forward_in_the_gradient_too(name):
    model = make(name).double()
    batch = sentences([4, 2], target=3)
    for outputs in (model, lambda *b: stepwise(model, *b)):
        model.zero_grad()
        outputs(*batch).logits.square().sum().backward()
        gradients = [p.grad.clone() for p in model.parameters()]
        if outputs is model:
            first = gradients
    for one, other in zip(first, gradients, strict=True):
        torch.testing.assert_close(one, other, atol=1e-10, rtol=1e-8)


def drawn_alike(model: nn.Module, *batch: torch.Tensor, **asked):
    """What is dropped is drawn anew, the same for all."""
    torch.manual_seed(0)
    return model(*batch, **asked)


@pytest.mark.parametrize("dropout", [0.0, 0.1])
def test_padding_has_no_influence_on_logits_weights_or_gradient(name, dropout):
    model = make(name, dropout=dropout).train(dropout > 0)
    source, mask, target_in = sentences([6, 2])
    other = torch.where(mask, source, (source + 5) % SOURCE_WORDS)
    assert (other != source).any()
    first, second = (
        drawn_alike(model, ids, mask, target_in, return_attention=True) for ids in (source, other)
    )
    torch.testing.assert_close(first.logits, second.logits, atol=0, rtol=0)
    if first.attention is not None:
        assert (first.attention[1, :, 2:] == 0).all()
    table = (model.encoder if hasattr(model.encoder, "embed") else model).get_submodule(
        "embed" if name in ("cho", "sutskever", "autoencoder") else "source_embed"
    )
    only_padding = torch.full_like(source, 0).where(~mask, source)
    drawn_alike(model, only_padding, mask, target_in).logits.sum().backward()
    assert (table.table.weight.grad[0] == 0).all()
    assert (table.table.weight.grad[4:] != 0).any()


def test_a_batch_gives_what_each_sentence_gives_alone(name):
    model = make(name)
    source, mask, target_in = sentences([6, 2, 4])
    together = model(source, mask, target_in).logits
    for row, length in enumerate([6, 2, 4]):
        alone = model(
            source[row : row + 1, :length], mask[row : row + 1, :length], target_in[row : row + 1]
        )
        torch.testing.assert_close(alone.logits[0], together[row], atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("dropout", [0.0, 0.1])
def test_later_target_tokens_do_not_reach_earlier_logits(name, dropout):
    model = make(name, dropout=dropout).train(dropout > 0)
    source, mask, target_in = sentences([4, 3])
    changed = target_in.clone()
    changed[:, 3] = (changed[:, 3] + 1) % TARGET_WORDS
    before, after = (drawn_alike(model, source, mask, ids) for ids in (target_in, changed))
    torch.testing.assert_close(before.logits[:, :3], after.logits[:, :3], atol=0, rtol=0)
    assert (before.logits[:, 3:] != after.logits[:, 3:]).any()


def test_weights_are_a_distribution_over_the_real_tokens():
    for name in ATTENTIVE:
        _, mask, _ = batch = sentences([6, 2, 1])
        weights = make(name)(*batch, return_attention=True).attention
        torch.testing.assert_close(weights.sum(-1), torch.ones(3, 5))
        assert (weights.masked_select(~mask[:, None].expand_as(weights)) == 0).all()


def test_select_reorders_and_repeats_rows_of_memory_and_state(name):
    model = make(name)
    source, mask, target_in = sentences([5, 2, 4])
    rows = torch.tensor([2, 0, 0])
    memory = model.encode(source, mask)
    state = model.step(target_in[:, 0], model.start(memory), memory).state
    picked = model.step(target_in[rows, 1], state.select(rows), memory.select(rows))
    whole = model.step(target_in[:, 1], state, memory)
    torch.testing.assert_close(picked.logits, whole.logits[rows], atol=1e-6, rtol=1e-6)


def test_calls_leave_nothing_on_the_module(name):
    """Two sentences decoded in turns give what they give one after the other."""
    model = make(name)
    first, second = sentences([5, 3], seed=1), sentences([4, 4], seed=2)
    memories = [model.encode(*batch[:2]) for batch in (first, second)]
    states = [model.start(memory) for memory in memories]
    for t in range(3):
        for k, batch in enumerate((first, second)):
            step = model.step(batch[2][:, t], states[k], memories[k])
            states[k] = step.state
            if t == 2:
                want = stepwise(model, *batch).logits[:, 2]
                torch.testing.assert_close(step.logits, want, atol=1e-6, rtol=1e-6)


def test_bahdanau_projects_its_keys_once_and_runs_its_output_once():
    model = make("bahdanau")
    calls = {"keys": 0, "output": 0}
    project = model.score.project_keys

    def counted(*args):
        calls["keys"] += 1
        return project(*args)

    model.score.project_keys = counted
    model.output.register_forward_hook(lambda *_: calls.update(output=calls["output"] + 1))
    model(*sentences([5, 3], target=6))
    assert calls == {"keys": 1, "output": 1}


def test_the_seed_decides_the_first_weights(name):
    one, same, other = make(name, seed=3), make(name, seed=3), make(name, seed=4)
    torch.rand(5)  # the global generator has no say
    for left, right in zip(one.state_dict().values(), same.state_dict().values(), strict=True):
        assert torch.equal(left, right)
    assert any(
        not torch.equal(left, right)
        for left, right in zip(one.state_dict().values(), other.state_dict().values(), strict=True)
    )


def test_a_config_survives_the_way_through_a_dict(name):
    model = make(name, dropout=0.25)
    again = build(name, asdict(model.config))
    assert again.config == model.config
    assert again.config.dropout == 0.25


def test_recurrent_matrices_start_orthogonal():
    model = make("bahdanau")
    for gate in model.recurrent_gates.weight.chunk(3):
        torch.testing.assert_close(gate @ gate.T, torch.eye(8), atol=1e-5, rtol=0)
    module = nn.GRU(4, 4)
    initialise(module, None)
    assert (module.bias_hh_l0 == 0).all()


@pytest.mark.parametrize("dropout", [0.0, 0.5])
def test_dropout_is_the_only_difference_between_train_and_eval(name, dropout):
    model = make(name, dropout=dropout)
    batch = sentences([5, 3])
    quiet = model(*batch).logits
    model.train()
    torch.manual_seed(0)
    assert torch.equal(quiet, model(*batch).logits) == (dropout == 0.0)


def test_reversing_leaves_the_padding_in_place():
    ids = torch.tensor([[1, 2, 3, 0, 0], [4, 5, 6, 7, 8]])
    reversed_ids = reverse_padded(ids, ids > 0)
    assert reversed_ids.tolist() == [[3, 2, 1, 0, 0], [8, 7, 6, 5, 4]]
    wrong = ids.flip(1)  # the tempting version
    assert wrong.tolist()[0] == [0, 0, 3, 2, 1]


def test_sutskever_reads_backwards_only_if_told():
    source, mask, target_in = sentences([5, 3])
    backwards, forwards = make("sutskever"), make("sutskever", reverse_source=False)
    forwards.load_state_dict(backwards.state_dict())
    want = forwards(reverse_padded(source, mask), mask, target_in).logits
    torch.testing.assert_close(backwards(source, mask, target_in).logits, want)
    assert not torch.allclose(
        backwards(source, mask, target_in).logits, forwards(source, mask, target_in).logits
    )


def test_maxout_takes_the_larger_of_each_pair():
    layer = MaxoutOutput(2, 2, 2)
    with torch.no_grad():
        layer.pool.weight.copy_(torch.tensor([[1.0, 0], [0, 1], [-1, 0], [0, -1]]))
        layer.pool.bias.zero_()
        layer.words.weight.copy_(torch.eye(2))
        layer.words.bias.zero_()
    assert layer(torch.tensor([[-3.0]]), torch.tensor([[2.0]])).tolist() == [[3.0, 2.0]]


def test_an_unknown_model_and_an_unknown_setting_are_named():
    with pytest.raises(CourseError, match=r"want a model out of .*bahdanau.*; got 'transfomer'"):
        build("transfomer", {})
    with pytest.raises(CourseError, match=r"cho has no setting heads"):
        build("cho", {**settings("cho"), "heads": 4})
    with pytest.raises(CourseError, match="source_vocabulary"):
        build("cho", {})


def test_the_dot_model_refuses_an_odd_width():
    with pytest.raises(ValueError, match="even"):
        make("dot", hidden=7)
