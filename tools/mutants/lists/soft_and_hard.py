"""Mistakes in hard attention: the draw, the reader, the reward, the scenes."""

from tools.mutants.mutant import Mutant

_HARD = "tests/unit/attention/test_hard.py"
_CAPTIONER = "tests/unit/models/test_captioner.py"
_DIGITS = "tests/unit/data/images/test_digits.py"
_EXACT = "tests/unit/experiments/soft_and_hard/test_exact.py"
_NOISE = "tests/unit/experiments/soft_and_hard/test_noise.py"
_READING = "tests/unit/experiments/soft_and_hard/test_reading.py"

MUTANTS = [
    Mutant(
        "a glance draws from torch's global generator",
        "course_lib/attention/hard.py",
        "torch.multinomial(rows, 1, generator=generator)",
        "torch.multinomial(rows, 1)",
        _HARD,
    ),
    Mutant(
        "a glance is the most probable place although it should be drawn",
        "course_lib/attention/hard.py",
        "drawn = torch.multinomial(rows, 1, generator=generator).to(share.device)",
        "drawn = rows.argmax(-1, keepdim=True)",
        _HARD,
    ),
    Mutant(
        "the log-probability of a glance without its gradient",
        "course_lib/attention/hard.py",
        "share.gather(-1, place).where",
        "share.detach().gather(-1, place).where",
        _HARD,
    ),
    Mutant(
        "the probability of a glance for its logarithm",
        "course_lib/attention/hard.py",
        ".where(there, 1.0).log().squeeze(-1)",
        ".where(there, 1.0).squeeze(-1)",
        _HARD,
    ),
    Mutant(
        "a glance at the first place where nothing may be looked at",
        "course_lib/attention/hard.py",
        "scatter(-1, place, 1.0) * there",
        "scatter(-1, place, 1.0)",
        _HARD,
    ),
    Mutant(
        "a glance of every row from the first row's weights",
        "course_lib/attention/hard.py",
        ".where(there, 1.0).flatten(0, -2).cpu()",
        ".where(there, 1.0).flatten(0, -2)[:1].expand(there.numel(), -1).cpu()",
        _HARD,
    ),
    Mutant(
        "the captioner's patches are not masked",
        "course_lib/models/captioner.py",
        "masked_softmax(scores, for_keys(memory.mask)).squeeze(1)",
        "masked_softmax(scores).squeeze(1)",
        _CAPTIONER,
    ),
    Mutant(
        "a soft reader that glances",
        "course_lib/models/captioner.py",
        'if self.config.looks == "hard":',
        "if True:",
        _CAPTIONER,
    ),
    Mutant(
        "a hard reader that takes the most probable patch although it has a generator",
        "course_lib/models/captioner.py",
        "return glance(share, generator)",
        "return glance(share)",
        _CAPTIONER,
    ),
    Mutant(
        "the captioner asks with the state after the step",
        "course_lib/models/captioner.py",
        "return self.output(hidden, word, context), CaptionerState(hidden)",
        "return self.output(state.hidden, word, context), CaptionerState(hidden)",
        _CAPTIONER,
    ),
    Mutant(
        "the captioner's patches do not know where they lie",
        "course_lib/models/captioner.py",
        "torch.tanh(self.mix(seen) + self.place.weight[:count])",
        "torch.tanh(self.mix(seen))",
        _CAPTIONER,
    ),
    Mutant(
        "the captioner reads its keys",
        "course_lib/models/captioner.py",
        "(source_mask, annotations, self.score.project_keys(annotations))",
        "(source_mask, annotations + 1, self.score.project_keys(annotations))",
        _CAPTIONER,
    ),
    Mutant(
        "digits of a scene in no order",
        "course_lib/data/images/digits.py",
        ".topk(digits).indices.sort().values",
        ".topk(digits).indices",
        _DIGITS,
    ),
    Mutant(
        "distractors that are digits",
        "course_lib/data/images/digits.py",
        "order = shuffled.scatter(1, chosen[..., None].expand_as(kept), kept)",
        "order = torch.arange(SIDE * SIDE).expand_as(shuffled)",
        _DIGITS,
    ),
    Mutant(
        "splits of images that overlap",
        "course_lib/data/images/digits.py",
        "number = order.split(list(SPLITS.values()))[list(SPLITS).index(split)]",
        "number = order[: SPLITS[split]]",
        _DIGITS,
    ),
    Mutant(
        "digits of a scene under other places' names",
        "course_lib/data/images/digits.py",
        "source.digit[drawn.gather(1, chosen)]",
        "source.digit[drawn[:, : chosen.shape[1]]]",
        _DIGITS,
    ),
    Mutant(
        "the exact gradient forgets that probabilities depend on the weights",
        "course_lib/experiments/soft_and_hard/exact.py",
        "sum(way.log_probability.exp() * way.reward for way in every_way(model, batch))",
        "sum(way.log_probability.exp().detach() * way.reward for way in every_way(model, batch))",
        _EXACT,
    ),
    Mutant(
        "REINFORCE without the reward's own gradient",
        "course_lib/experiments/soft_and_hard/exact.py",
        "_flat(way.reward + gain * way.log_probability, weights)",
        "_flat(gain * way.log_probability, weights)",
        _EXACT,
    ),
    Mutant(
        "all ways to look weigh the same",
        "course_lib/experiments/soft_and_hard/exact.py",
        "total += way.log_probability.detach().exp() * estimate",
        "total += estimate / 9",
        _EXACT,
    ),
    Mutant(
        "a prescribed way that looks elsewhere",
        "course_lib/experiments/soft_and_hard/exact.py",
        "here[0, place] = 1.0",
        "here[0, 0] = 1.0",
        _EXACT,
    ),
    Mutant(
        "the noise of a gradient away from the reward",
        "course_lib/experiments/soft_and_hard/noise.py",
        "_flat(-(gained + (known - baseline) * drawn).mean(), model)",
        "_flat(-(gained - (known - baseline) * drawn).mean(), model)",
        _EXACT,
    ),
    Mutant(
        "a baseline that has seen its own draw",
        "course_lib/experiments/soft_and_hard/noise.py",
        '"scene": torch.stack(again).mean(0),',
        '"scene": known,',
        _EXACT,
    ),
    Mutant(
        "the mean's own noise counts for its length",
        "course_lib/experiments/soft_and_hard/noise.py",
        "float(rows.mean(0).square().sum()) - _variance(rows) / len(rows)",
        "float(rows.mean(0).square().sum())",
        _NOISE,
    ),
    Mutant(
        "the entropy's bonus turned round",
        "course_lib/experiments/soft_and_hard/reading.py",
        "return gained - entropy * drawn.sum(-1)",
        "return gained + entropy * drawn.sum(-1)",
        _READING,
    ),
    Mutant(
        "the control is trained for the reward",
        "course_lib/experiments/soft_and_hard/reading.py",
        'if not variant.startswith("hard"):\n        return translation_loss',
        'if variant == "soft":\n        return translation_loss',
        _READING,
    ),
    Mutant(
        "the longer twin is not longer",
        "course_lib/experiments/soft_and_hard/reading.py",
        "return 4 * UPDATES if",
        "return UPDATES if",
        _READING,
    ),
    Mutant(
        "a digit that is missing counts for none",
        "course_lib/experiments/soft_and_hard/reading.py",
        "total = len(wanted) * shared.DIGITS",
        "total = sum(map(len, found.ids))",
        _READING,
    ),
    Mutant(
        "test scenes from the training images",
        "course_lib/experiments/soft_and_hard/scenes.py",
        "return draw(split, count, cpu_generator(_SEEDS[split]))",
        'return draw("train", count, cpu_generator(_SEEDS[split]))',
        _READING,
    ),
]
