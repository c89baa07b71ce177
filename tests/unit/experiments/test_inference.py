"""The mini-world's inference pairs: their labels are proved, and not to be guessed."""

from collections import Counter
from itertools import product

import pytest

from course_lab.experiments.decomposable import inference
from course_lab.experiments.decomposable.inference import CONSTRUCTIONS, SPLITS, label_of
from course_lab.experiments.decomposable.statements import QUANTIFIERS
from course_lib.data.inference_pairs import LABELS
from tests.remembered import remembered
from tests.unit.experiments import worlds

MOST_BITS = 12
EACH = 1
sample = remembered(inference.sample)


def chosen(each=EACH):
    """So many pairs of each construction and label, or all there are among the first."""
    kept, count = [], Counter()
    for pair in sample("train", 1500):
        key = (pair.construction, pair.label)
        count[key] += 1
        if count[key] <= each:
            kept.append(pair)
    return kept


def checked(pair):
    """The label by all worlds of few individuals, and by many drawn ones of more."""
    one, other = worlds.read(pair.premise), worlds.read(pair.hypothesis)
    found = set()
    for individuals in (2, 3):
        if worlds.bits(one, other, individuals) <= MOST_BITS:
            found.add(worlds.label_in(one, other, worlds.every_world(one, other, individuals)))
    found.add(worlds.label_in(one, other, worlds.some_worlds(one, other, 5, 3000)))
    return found - {None}


def test_worlds_prove_the_labels():
    """In the worlds that say most: a small world may lack a witness, none may speak against."""
    seen = Counter()
    for pair in chosen():
        found = checked(pair)
        # With few individuals a neutral pair may look decided; a decided one never looks neutral.
        assert pair.label in found, pair
        if pair.label != "neutral":
            assert found == {pair.label}, pair
        seen[pair.construction] += 1
    assert set(seen) == set(CONSTRUCTIONS)


@pytest.mark.parametrize("split", SPLITS)
def test_labels_are_about_equally_frequent(split):
    count = Counter(pair.label for pair in sample(split, 180))
    assert set(count) == set(LABELS)
    assert min(count.values()) > 45


def test_no_pair_is_in_two_splits_nor_turned_round():
    seen = {}
    for split in SPLITS:
        for pair in sample(split, 150):
            both = frozenset(pair[:2])
            assert len(both) == 2
            assert both not in seen, (split, seen.get(both))
            seen[both] = split


def test_golden_pairs():
    found = [(" ".join(p.premise), " ".join(p.hypothesis), p.label) for p in sample("test", 3)]
    assert found == GOLDEN


GOLDEN = [
    (
        "every pirate paints a young animal patiently now .",
        "now every pirate paints a young horse patiently .",
        "neutral",
    ),
    (
        "two young farmers paint a young wolf by the sea now .",
        "two young farmers paint a wolf by the sea now .",
        "entailment",
    ),
    (
        "two young clowns sleep peacefully on the bridge tonight .",
        "tonight every young clown sleeps peacefully on the bridge .",
        "neutral",
    ),
]


def guessed(features):
    """The share that a reader gets right who goes by the commonest label of what they see."""
    seen = {}
    for pair in sample("train", 1500):
        for feature in features(pair):
            seen.setdefault(feature, Counter())[pair.label] += 1
    shares = {
        feature: {label: (count[label] + 1) / (count.total() + 3) for label in LABELS}
        for feature, count in seen.items()
    }
    right, test = 0, sample("test", 180)
    for pair in test:
        known = [shares[feature] for feature in features(pair) if feature in shares]
        best = max(LABELS, key=lambda label: sum(share[label] for share in known))
        right += best == pair.label
    return right / len(test)


def test_the_hypothesis_alone_gives_little_away():
    assert guessed(lambda pair: set(pair.hypothesis)) < 0.45
    assert guessed(lambda pair: [len(pair.hypothesis)]) < 0.42
    assert guessed(lambda pair: [tuple(w for w in pair.hypothesis if w in QUANTIFIERS)]) < 0.42


def test_contradiction_is_symmetric_and_same_is_same():
    turned = {"": "", "up": "down", "down": "up", "other": "other"}
    directions = product(QUANTIFIERS, turned, turned, QUANTIFIERS)
    for first, subject, predicate, second in directions:
        one = label_of(first, subject, predicate, second)
        other = label_of(second, turned[subject], turned[predicate], first)
        assert (one == "contradiction") == (other == "contradiction")
    assert all(label_of(q, "", "", q) == "entailment" for q in QUANTIFIERS)
