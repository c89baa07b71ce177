"""Mistakes in local attention and in Luong's model."""

from tools.mutants.mutant import Mutant

_SELECTION = "course_lib/attention/local.py"
_LUONG = "course_lib/models/luong.py"
_SELECTED = "tests/unit/attention/test_local.py"
_LAWS = "tests/property/test_local_properties.py"
_MODEL = "tests/unit/models/test_luong.py"
_EQUATIONS = f"{_MODEL}::test_every_variant_by_its_equations"
_WINDOW = "course_lab/experiments/where_to_look/window.py"
_WAYS = "course_lab/experiments/where_to_look/other_ways.py"
_FOLLOWED = "tests/unit/experiments/where_to_look/test_other_ways.py"
_BELL = "course_lab/figures/drawn/bell.py"
_DRAWN = "tests/unit/figures/drawn/test_drawings.py"
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
        "    if padding_mask is not None:\n        within",
        "    if padding_mask is None:\n        within",
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
        'gaussian=self.config.attention == "local-p"',
        'gaussian=self.config.attention != "global"',
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
        "padding_mask=memory.mask,",
        "padding_mask=None,",
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
    Mutant(
        "a missed word to the left counts as one to the right",
        _WAYS,
        "return RIGHT if max(away) > 0 else LEFT",
        "return RIGHT if max(map(abs, away)) > 0 else LEFT",
        f"{_FOLLOWED}::test_on_which_side_the_missed_words_lie",
    ),
    Mutant(
        "the first state comes in after all",
        _WAYS,
        "return LuongState(zeros, zeros, start.attentional, start.time)",
        "return LuongState(zeros, start.cell, start.attentional, start.time)",
        f"{_FOLLOWED}::test_a_decoder_that_begins_in_zeros_is_told_nothing",
    ),
    Mutant(
        "the encoder reads one way only",
        _WAYS,
        'self.encoder = RecurrentEncoder("lstm", *sizes, bidirectional=True)',
        'self.encoder = RecurrentEncoder("lstm", sizes[0], config.hidden, bidirectional=False)',
        f"{_FOLLOWED}::test_a_first_annotation_knows_the_last_word_if_it_was_read_from_there",
    ),
    Mutant(
        "only one end of a sentence is an end",
        _WAYS,
        "min(place, size - place) < END * size",
        "size - place < END * size",
        f"{_FOLLOWED}::test_places_are_counted_at_both_ends_and_links_in_the_window",
    ),
    Mutant(
        "the drawn softmax looks out of the window",
        _BELL,
        "inside = [abs(j - PLACE) <= RADIUS",
        "inside = [abs(j - PLACE) <= RADIUS + 1",
        f"{_DRAWN}::test_the_bars_under_the_bell_are_those_of_local_attention",
    ),
]
