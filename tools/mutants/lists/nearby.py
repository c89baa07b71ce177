"""Mistakes in local attention and in Luong's model."""

from tools.mutants.mutant import Mutant

_SELECTION = "course_lib/attention/selection.py"
_LUONG = "course_lib/models/luong.py"
_SELECTED = "tests/unit/attention/test_selection.py"
_LAWS = "tests/property/test_selection_properties.py"
_MODEL = "tests/unit/models/test_luong.py"
_EQUATIONS = f"{_MODEL}::test_every_variant_by_its_equations"
_WINDOW = "course_lib/experiments/where_to_look/window.py"
_COUNTED = "tests/unit/experiments/where_to_look/test_window.py"

MUTANTS = [
    Mutant(
        "the Gaussian with σ = D",
        _SELECTION,
        "torch.exp(-2.0 * (away / radius) ** 2)",
        "torch.exp(-0.5 * (away / radius) ** 2)",
        _SELECTED,
    ),
    Mutant(
        "the Gaussian before the softmax",
        _SELECTION,
        "        score=score,\n        mask=within",
        "        score=lambda q, k: score(q, k) - (away**2)[..., None, :],\n        mask=within",
        _SELECTED,
    ),
    Mutant(
        "the window is half open",
        _SELECTION,
        "within = away.abs() <= radius",
        "within = (away > -radius) & (away <= radius)",
        _SELECTED,
    ),
    Mutant(
        "the mask around a position is too narrow",
        _SELECTION,
        "(place - center.unsqueeze(-1)).abs() <= radius",
        "(place - center.unsqueeze(-1)).abs() < radius",
        _SELECTED,
    ),
    Mutant(
        "a window at the end of the sentence slides out of it",
        _SELECTION,
        "first.clamp(0, keys - width)",
        "first.clamp(0, keys - 1)",
        _LAWS,
    ),
    Mutant(
        "all keys are scored",
        _SELECTION,
        "width = min(2 * radius + 1, keys)",
        "width = keys",
        _SELECTED,
    ),
    Mutant(
        "padding in the window counts",
        _SELECTION,
        "    if real is not None:\n        within",
        "    if real is None:\n        within",
        _SELECTED,
    ),
    Mutant(
        "the position has no gradient",
        _SELECTION,
        "away = places - center.unsqueeze(-1)",
        "away = places - center.detach().unsqueeze(-1)",
        _SELECTED,
    ),
    Mutant(
        "the predicted position without tanh",
        _SELECTION,
        "self.energy(torch.tanh(self.hidden(query)))",
        "self.energy(self.hidden(query))",
        _SELECTED,
    ),
    Mutant(
        "the predicted position in a padded sentence",
        _LUONG,
        "self.position(query, memory.mask.sum(-1))",
        "self.position(query, 0 * memory.mask.sum(-1) + memory.mask.shape[1])",
        _EQUATIONS,
    ),
    Mutant(
        "local-m with the Gaussian",
        _LUONG,
        'bell=self.config.attention == "local-p"',
        'bell=self.config.attention != "global"',
        _EQUATIONS,
    ),
    Mutant(
        "the window of local-m stands still",
        _LUONG,
        "attentional[:, -1], time[:, -1] + 1",
        "attentional[:, -1], time[:, -1]",
        _EQUATIONS,
    ),
    Mutant(
        "the context and the state change places",
        _LUONG,
        "torch.cat([context, top], dim=-1)",
        "torch.cat([top, context], dim=-1)",
        _EQUATIONS,
    ),
    Mutant(
        "the attentional state without tanh",
        _LUONG,
        "torch.tanh(self.combine(torch.cat([context, top], dim=-1)))",
        "self.combine(torch.cat([context, top], dim=-1))",
        _EQUATIONS,
    ),
    Mutant(
        "the LSTM's state is fed in place of the attentional one",
        _LUONG,
        "torch.cat([words, state.attentional[:, None]], dim=-1)",
        "torch.cat([words, state.hidden[:, -1:]], dim=-1)",
        _EQUATIONS,
    ),
    Mutant(
        "nothing is fed",
        _LUONG,
        "torch.cat([words, state.attentional[:, None]], dim=-1)",
        "torch.cat([words, 0 * state.attentional[:, None]], dim=-1)",
        _EQUATIONS,
    ),
    Mutant(
        "global attention over padding",
        _LUONG,
        "mask=for_keys(memory.mask)",
        "mask=None",
        f"{_MODEL}::test_padding_has_no_influence",
    ),
    Mutant(
        "local attention over padding",
        _LUONG,
        "real=memory.mask,",
        "real=None,",
        f"{_MODEL}::test_padding_has_no_influence",
    ),
    Mutant(
        "the cost of a predicted position is forgotten",
        _WINDOW,
        "place = hidden * hidden + hidden if",
        "place = 0 if",
        f"{_COUNTED}::test_the_cost_of_a_step_is_what_is_computed",
    ),
    Mutant(
        "the reach of a pair to one side only",
        _WINDOW,
        "return max((abs(s - t) for s, t in pair.sure), default=0)",
        "return max((s - t for s, t in pair.sure), default=0)",
        f"{_COUNTED}::test_the_reach_of_a_pair_is_the_radius_that_local_m_needs",
    ),
]
