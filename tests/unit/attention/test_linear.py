"""Linear attention: three forms of three rules, against a plain loop over the papers' equations."""

import jaxtyping
import pytest
import torch
from torch import Tensor

from course_lib.attention.attend import attend
from course_lib.attention.linear import (
    FORMS,
    LinearState,
    elu_plus_one,
    linear_attention,
    unit_silu,
)
from course_lib.attention.masks import causal_mask, for_keys, padding_mask
from tests.sizes import random

B, H, T, DK, DV = 2, 3, 13, 4, 5
EXACT = {"rtol": 0, "atol": 1e-10}
GAMMA = torch.tensor([0.99, 0.7, 0.2], dtype=torch.float64).unsqueeze(-1)  # one for each head
GATE = torch.sigmoid(2 * random(B, H, T, seed=5))  # one for each token
BETA = torch.sigmoid(random(B, H, T, seed=4))
RULES = {
    "additive": {},
    "normalised": {"feature_map": elu_plus_one, "normalise": True},
    "decay": {"decay": GAMMA},
    "decay, normalised": {"decay": GAMMA, "feature_map": elu_plus_one, "normalise": True},
    "a decay for each token": {"decay": GATE},
    "delta": {"beta": BETA, "feature_map": unit_silu},
    "gated delta": {"beta": BETA, "decay": GATE, "feature_map": unit_silu},
}
PADDING = for_keys(padding_mask(torch.tensor([13, 8])))  # (B, 1, T)
HOLES = torch.rand(B, 1, T, generator=torch.Generator().manual_seed(1)) < 0.6
MASKS = {"none": None, "padding": PADDING, "padding in front": PADDING.flip(-1), "holes": HOLES}


def inputs(dtype: torch.dtype = torch.float64) -> list[Tensor]:
    shapes = ((B, H, T, DK), (B, H, T, DK), (B, H, T, DV))
    return [random(*s, seed=i).to(dtype).requires_grad_() for i, s in enumerate(shapes)]


def loop(query, key, value, feature_map=None, normalise=False, decay=1.0, beta=None, mask=None):
    """The rules word for word, one row, head and token at a time; a masked token is left out.

    Schlag et al. 2021, section 4.2, write the delta rule as "take v̄ = S k out, put in the new
    value β v + (1 - β) v̄"; here it is written in that way.
    """
    if feature_map is not None:
        query, key = feature_map(query), feature_map(key)
    decay = torch.as_tensor(decay, dtype=key.dtype).expand(B, H, T)
    contexts = []
    for b in range(B):
        for h in range(H):
            memory, keys = torch.zeros(DK, DV, dtype=key.dtype), torch.zeros(DK, dtype=key.dtype)
            for t in range(T):
                q, k, v = query[b, h, t], key[b, h, t], value[b, h, t]
                if mask is None or mask[b, 0, t]:
                    memory, keys = decay[b, h, t] * memory, decay[b, h, t] * keys + k
                    if beta is None:
                        memory = memory + torch.outer(k, v)
                    else:
                        old = k @ memory
                        new = beta[b, h, t] * v + (1 - beta[b, h, t]) * old
                        memory = memory - torch.outer(k, old) + torch.outer(k, new)
                context = q @ memory
                nothing = mask is not None and not mask[b, 0, : t + 1].any()
                contexts.append(context / (q @ keys) if normalise and not nothing else context)
    return torch.stack(contexts).view(B, H, T, DV)


def with_gradients(context: Tensor, leaves: list[Tensor]) -> list[Tensor]:
    upstream = random(*context.shape, seed=9).to(context.dtype)
    return [context, *torch.autograd.grad(context, leaves, upstream)]


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("rule", RULES)
def test_every_form_has_the_values_and_gradients_of_the_loop(rule, mask):
    settings = RULES[rule] | {"mask": MASKS[mask]}
    leaves = inputs()
    wanted = with_gradients(loop(*leaves, **settings), leaves)
    for how in (*({"form": form} for form in FORMS), {"chunk": 1}, {"chunk": 5}, {"chunk": T}):
        got = with_gradients(linear_attention(*leaves, **settings, **how).context, leaves)
        for ours, theirs in zip(got, wanted, strict=True):
            torch.testing.assert_close(ours, theirs, **EXACT)


@pytest.mark.parametrize("rule", RULES)
def test_in_single_precision_the_forms_are_equal_to_five_places(rule):
    settings = {k: v.float() if isinstance(v, Tensor) else v for k, v in RULES[rule].items()}
    leaves = inputs(torch.float32)
    one, *others = (
        with_gradients(linear_attention(*leaves, **settings, form=form, chunk=4).context, leaves)
        for form in FORMS
    )
    for other in others:
        for ours, theirs in zip(other, one, strict=True):
            torch.testing.assert_close(ours, theirs, atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("rule", [name for name in RULES if "normal" not in name])
def test_decay_and_beta_get_the_gradients_of_the_loop(rule, form):
    leaves = inputs()
    settings = dict(RULES[rule])
    learnt = {k: settings[k].clone().requires_grad_() for k in ("decay", "beta") if k in settings}
    wanted = with_gradients(loop(*leaves, **settings | learnt), [*leaves, *learnt.values()])
    context = linear_attention(*leaves, **settings | learnt, form=form, chunk=5).context
    got = with_gradients(context, [*leaves, *learnt.values()])
    for ours, theirs in zip(got, wanted, strict=True):
        torch.testing.assert_close(ours, theirs, **EXACT)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("cut", [1, 6, 12])
def test_a_state_that_is_carried_across_a_cut_equals_no_cut(rule, form, cut):
    leaves, settings = inputs(), dict(RULES[rule])
    how = {"form": form, "chunk": 5}
    whole = linear_attention(*leaves, mask=HOLES, **settings, **how)
    upstream = random(B, H, T, DV, seed=9)
    wanted = torch.autograd.grad(whole.context, leaves, upstream)

    def part(at: slice, state: LinearState | None):
        own = dict(settings)
        for name in ("decay", "beta"):
            if name in own and own[name].shape[-1] == T:
                own[name] = own[name][..., at]
        return linear_attention(
            *(x[..., at, :] for x in leaves), mask=HOLES[..., at], state=state, **own, **how
        )

    first = part(slice(0, cut), None)
    second = part(slice(cut, T), first.state)
    context = torch.cat([first.context, second.context], -2)
    torch.testing.assert_close(context, whole.context, **EXACT)
    for ours, theirs in zip(torch.autograd.grad(context, leaves, upstream), wanted, strict=True):
        torch.testing.assert_close(ours, theirs, **EXACT)
    for ours, theirs in zip(second.state, whole.state, strict=True):
        torch.testing.assert_close(ours, theirs, **EXACT) if ours is not None else None
    assert second.state.memory.shape == (B, H, DK, DV)
    assert (second.state.keys is None) == ("normalise" not in settings)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("rule", RULES)
def test_masked_keys_have_no_influence_and_get_no_gradient(rule, form):
    leaves = inputs()
    how = RULES[rule] | {"mask": HOLES, "form": form, "chunk": 5}
    said = linear_attention(*leaves, **how)
    hidden = ~HOLES.expand(B, H, T)
    for x in with_gradients(said.context, leaves)[2:]:
        assert (x[hidden] == 0).all()
        assert (x[~hidden] != 0).any()
    query, key, value = (x.detach().clone() for x in leaves)
    key[hidden], value[hidden] = 7.0, -9.0
    other = linear_attention(query, key, value, **how)
    assert torch.equal(other.context, said.context)
    assert torch.equal(other.state.memory, said.state.memory)
    assert not torch.allclose(linear_attention(*leaves, **how | {"mask": None}).context, said[0])
    # The other reading: a sentence without the masked tokens.
    for row in range(B):
        real = HOLES[row, 0]
        own = {
            k: v[row][..., real] if isinstance(v, Tensor) and v.dim() == 3 else v
            for k, v in RULES[rule].items()
        }
        short = linear_attention(*(x[row][:, real] for x in leaves), **own, form=form)
        torch.testing.assert_close(short.context, said.context[row][:, real], **EXACT)
        torch.testing.assert_close(short.state.memory, said.state.memory[row], **EXACT)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("rule", RULES)
def test_later_tokens_have_no_influence_and_earlier_ones_have(rule, form):
    how = RULES[rule] | {"form": form, "chunk": 5}
    one = [x.detach() for x in inputs()]
    two = [x.clone() for x in one]
    for x in two:
        x[..., 7, :] += 1
    before, after = linear_attention(*one, **how)[0], linear_attention(*two, **how)[0]
    torch.testing.assert_close(after[..., :7, :], before[..., :7, :], **EXACT)
    assert (after[..., 7:, :] != before[..., 7:, :]).any(-1).all()


def test_with_a_normaliser_it_is_attend_with_the_scores_log_of_phi_times_phi():
    """exp(log(φ(q)·φ(k))) over its sum: equation 4 of Katharopoulos et al. 2020."""
    q, k, v = inputs()

    def score(query, key):
        return (elu_plus_one(query) @ elu_plus_one(key).mT).log()

    mask = causal_mask(T)[None] & HOLES.unsqueeze(-2)
    wanted = attend(q, k, v, score=score, mask=mask).context
    got = linear_attention(q, k, v, mask=HOLES, **RULES["normalised"]).context
    torch.testing.assert_close(got, wanted, **EXACT)


@pytest.mark.parametrize("form", FORMS)
def test_where_every_key_is_masked_the_context_is_zero(form):
    leaves, mask = inputs(), torch.zeros(B, 1, T, dtype=torch.bool)
    mask[1] = True
    for settings in RULES.values():
        context, *gradients = with_gradients(
            linear_attention(*leaves, mask=mask, **settings, form=form).context, leaves
        )
        assert (context[0] == 0).all()
        assert all(x.isfinite().all() for x in gradients)


def test_the_delta_rule_repairs_what_overlap_spoils():
    """The last pair comes back whole though keys overlap; the sum mixes all of them in."""
    key = unit_silu(torch.randn(1, 6, 4, generator=torch.Generator().manual_seed(0)).double())
    value = random(1, 6, 3)
    for settings, exact in (({"beta": 1.0}, True), ({}, False)):
        read = linear_attention(key, key, value, **settings).context
        assert torch.allclose(read, value, atol=1e-10) == exact
    square = torch.eye(4).double()[None]  # keys at right angles: both rules recall every pair
    for settings in ({"beta": 1.0}, {}):
        memory = linear_attention(square, square, value[:, :4], **settings).state.memory
        torch.testing.assert_close(square @ memory, value[:, :4], **EXACT)


def test_equations_that_are_nearly_right_are_seen():
    """Without the normaliser, a decay that is one step off, no β, and β of the old value alone."""
    q, k, v = (x.detach() for x in inputs())

    def far(one: Tensor, two: Tensor) -> bool:
        return (one - two).abs().max().item() > 0.05

    right = {name: linear_attention(q, k, v, **how).context for name, how in RULES.items()}
    assert far(right["normalised"], linear_attention(q, k, v, feature_map=elu_plus_one).context)
    # S_t = γ (S_{t-1} + k v): the newest token would decay too.
    assert far(right["decay"], GAMMA.unsqueeze(-1) * right["decay"])
    shifted = linear_attention(q, k, v, decay=GATE.roll(1, -1)).context
    assert far(right["a decay for each token"], shifted)
    unit = RULES["delta"] | {"beta": 1.0}
    assert far(right["delta"], linear_attention(q, k, v, **unit).context)
    half = linear_attention(q, k, BETA.unsqueeze(-1) * v, feature_map=unit_silu).context
    assert far(right["delta"], half)  # β v is written, but nothing is taken out


def test_decays_over_a_long_sequence_stay_finite():
    """γ^2000 is no number of single precision above 0; nor is γ^-2000 one below infinity."""
    x = torch.randn(1, 2000, 4, generator=torch.Generator().manual_seed(0)).requires_grad_()
    decay = torch.tensor([0.5], requires_grad=True)
    contexts = []
    for form in FORMS:
        context = linear_attention(x, x, x, decay=decay, form=form).context
        contexts.append(context)
        for gradient in torch.autograd.grad(context.sum(), (x, decay)):
            assert gradient.isfinite().all()
    for context in contexts[1:]:
        torch.testing.assert_close(context, contexts[0], atol=1e-3, rtol=1e-3)


def test_the_derivative_is_that_of_finite_differences():
    leaves = [random(1, 5, n, seed=n).requires_grad_() for n in (3, 3, 2)]
    leaves += [torch.sigmoid(random(1, 5, seed=s)).requires_grad_() for s in (7, 8)]
    for form in FORMS:
        assert torch.autograd.gradcheck(
            lambda q, k, v, g, b, form=form: (
                linear_attention(q, k, v, decay=g, beta=b, form=form, chunk=2).context
            ),
            leaves,
            fast_mode=True,
        )


def test_what_does_not_fit_is_refused(monkeypatch):
    monkeypatch.setattr(jaxtyping.config, "jaxtyping_disable", True)
    q, k, v = (x.detach() for x in inputs())
    with pytest.raises(KeyError):
        linear_attention(q, k, v, form="recursive")
    with pytest.raises(ValueError, match="no normaliser with the delta rule"):
        linear_attention(q, k, v, beta=1.0, normalise=True)
    with pytest.raises(ValueError, match=r"want a mask \(2, 3, 13\), or 1 for a size; got \(2, 13"):
        linear_attention(q, k, v, mask=HOLES[:, 0])
    state = linear_attention(q, k, v).state
    with pytest.raises(ValueError, match="a state with a sum of keys if, and only if"):
        linear_attention(q, k, v, state=state, normalise=True)
