"""Mistakes in what reads pairs of sentences: the models, their data, their scores."""

from tools.mutants.mutant import Mutant

_MODEL = "course_lib/models/decomposable.py"
_BASE = "course_lib/models/pair_baselines.py"
_INFERENCE = "course_lib/data/mini_world/inference.py"
_EQUATIONS = "tests/unit/models/test_decomposable.py"
_ALL = "tests/unit/models/test_pair_classifiers.py"
_LABELS = "tests/unit/data/mini_world/test_inference.py"
_CLI = "tests/unit/cli/test_classify.py"

MUTANTS = [
    Mutant(
        "the comparisons of padding are added up",
        _MODEL,
        "return zero_padding(self.compare(torch.cat(shown, dim=-1)), mask)",
        "return self.compare(torch.cat(shown, dim=-1))",
        _ALL,
    ),
    Mutant(
        "a premise word looks at padding of the hypothesis",
        _MODEL,
        "score=lambda *_: e, mask=for_keys(hypothesis_mask))",
        "score=lambda *_: e)",
        _ALL,
    ),
    Mutant(
        "a hypothesis word looks at padding of the premise",
        _MODEL,
        "score=lambda *_: turned, mask=for_keys(premise_mask))",
        "score=lambda *_: turned)",
        _ALL,
    ),
    Mutant(
        "intra-sentence attention looks at padding",
        _MODEL,
        "score=lambda q, k: dot(q, k) + bias, mask=for_keys(mask)",
        "score=lambda q, k: dot(q, k) + bias",
        _ALL,
    ),
    Mutant(
        "no bias for distance",
        _MODEL,
        "score=lambda q, k: dot(q, k) + bias,",
        "score=lambda q, k: dot(q, k),",
        _EQUATIONS,
    ),
    Mutant(
        "the bias for j - i",
        _MODEL,
        "apart = (place[:, None] - place)",
        "apart = (place - place[:, None])",
        _EQUATIONS,
    ),
    Mutant(
        "a scaled score",
        _MODEL,
        "e = dot(asked, answered)",
        "e = dot(asked, answered) * a.shape[-1] ** -0.5",
        _EQUATIONS,
    ),
    Mutant(
        "the values are what F made of the words",
        _MODEL,
        "beta = attend(asked, answered, b,",
        "beta = attend(asked, answered, answered,",
        _EQUATIONS,
    ),
    Mutant(
        "the partner comes first in the comparison",
        _MODEL,
        "shown = [words, found]",
        "shown = [found, words]",
        _EQUATIONS,
    ),
    Mutant(
        "the comparisons are averaged",
        _MODEL,
        "pooled = torch.cat([first.sum(1), second.sum(1)], dim=-1)",
        "pooled = torch.cat([first.mean(1), second.mean(1)], dim=-1)",
        _EQUATIONS,
    ),
    Mutant(
        "the bag counts padding",
        _BASE,
        "zero_padding(self.compare(self.words(ids)), mask).sum(1)",
        "self.compare(self.words(ids)).sum(1)",
        _ALL,
    ),
    Mutant(
        "the LSTM reads every row to its end",
        _BASE,
        "self.encoder(self.dropout(self.words(ids)), mask).last[-1]",
        "self.encoder(self.dropout(self.words(ids)), mask | True).last[-1]",
        _ALL,
    ),
    Mutant(
        "the frozen table learns",
        "course_lib/models/words.py",
        "self.weight.requires_grad_(False)",
        "self.weight.requires_grad_(True)",
        _EQUATIONS,
    ),
    Mutant(
        "parameters count the word table",
        "course_lib/models/pair_classifier.py",
        "if weight.requires_grad and (embeddings or id(weight) not in tables)",
        "if weight.requires_grad",
        _ALL,
    ),
    Mutant(
        "every small dog is said to make every dog",
        _INFERENCE,
        'follows = fewer if second == "every" else second == "a"',
        'follows = more if second == "every" else second == "a"',
        _LABELS,
    ),
    Mutant(
        "a is said to make two",
        _INFERENCE,
        "_AT_LEAST[first] >= _AT_LEAST.get(second, 9)",
        "_AT_LEAST[first] <= _AT_LEAST.get(second, 9)",
        _LABELS,
    ),
    Mutant(
        "no dog is said to make no animal",
        _INFERENCE,
        "return ENTAILMENT if fewer and narrower else NEUTRAL",
        "return ENTAILMENT if more and wider else NEUTRAL",
        _LABELS,
    ),
    Mutant(
        "whatever changes in a pair, the same place may change back",
        "course_lib/data/mini_world/edits.py",
        "if self._touched & set(words):",
        "if False:",
        _LABELS,
    ),
    Mutant(
        "an exchange with nothing on one side",
        "course_lib/data/mini_world/edits.py",
        "not (subject.adjectives and other.adjectives)",
        "not (subject.adjectives or other.adjectives)",
        _LABELS,
    ),
    Mutant(
        "labels are not balanced by form",
        _INFERENCE,
        "if _ahead(of_form, label) > 0 or",
        "if",
        _LABELS,
    ),
    Mutant(
        "a pair comes turned round in another split",
        _INFERENCE,
        "both = frozenset((premise, hypothesis))",
        "both = (premise, hypothesis)",
        _LABELS,
    ),
    Mutant(
        "a batch has the labels of its neighbours",
        "course_lib/data/labelled.py",
        "self.labels[list(batch.index)]",
        "self.labels[: len(batch.index)]",
        "tests/unit/data/test_labelled.py",
    ),
    Mutant(
        "all unknown words are one",
        "course_lib/data/tokens/hashed.py",
        "_name(_hash(word))",
        "_name(0)",
        "tests/unit/data/tokens/test_hashed.py",
    ),
    Mutant(
        "SNLI's pairs without a label are kept",
        "course_lib/data/corpora/snli.py",
        "    if label == _NO_LABEL:\n        return None\n",
        "",
        "tests/unit/data/corpora/test_snli.py",
    ),
    Mutant(
        "accuracy with dropout on",
        "course_lib/evaluation/accuracy.py",
        "with evaluating(model), torch.inference_mode():",
        "with torch.inference_mode():",
        "tests/unit/evaluation/test_accuracy.py",
    ),
    Mutant(
        "contrast is the difference twice",
        _BASE,
        "(u - v).abs(), u * v]",
        "(u - v).abs(), (u - v).abs()]",
        _ALL,
    ),
    Mutant(
        "--contrast is not heard",
        "course_lib/cli/classify.py",
        " | given(contrast=options.contrast)",
        "",
        _CLI,
    ),
    Mutant(
        "a comparison in the drawing receives its word twice",
        "course_lib/figures/drawn/attend_compare.py",
        'Arrow([(x, _FOUND + 7), (x, _COMPARE - 14)], "context")',
        "Arrow([(x, _FOUND + 7), (x, _COMPARE - 14)], role)",
        "tests/unit/figures/drawn/test_drawings.py",
    ),
    Mutant(
        "a classifier is asked to translate",
        "course_lib/cli/commands.py",
        '    run = _run(folder)\n    if classify.is_classifier(run.config["model"]):\n',
        "    run = _run(folder)\n    if False:\n",
        _CLI,
    ),
]
