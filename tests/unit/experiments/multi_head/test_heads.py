"""What heads are held against: gaps by relation, distances, silent heads, numbers of verbs."""

import pytest
import torch

from course_lab.experiments.multi_head import gaps, heads
from course_lib.data.mini_world.relations import KINDS, Parsed, Relation
from course_lib.models.cloze import Cloze, without_heads

WORLD = gaps.make_world(300, 60)
ASKED = heads.asked(WORLD.test, WORLD.vocabulary)
MODEL = gaps.make_model(gaps.HEADS, WORLD, 0).eval()


def test_one_gap_for_each_relation():
    tokens, real, places = ASKED.batch.inputs
    assert len(ASKED.kinds) == len(tokens) == sum(len(each.relations) for each in WORLD.test)
    rows = torch.arange(len(tokens))
    assert (tokens[rows, places] == gaps.GAP).all()
    assert (tokens == gaps.GAP).sum() == len(tokens)
    assert not ASKED.partners[rows, places].any()
    assert (ASKED.partners & ~real).sum() == 0
    first = WORLD.test[0]
    words = [
        WORLD.vocabulary.decode([i]) for i in ASKED.batch.label[: len(first.relations)].tolist()
    ]
    assert words == [first.words[r.word] for r in first.relations]


def test_a_head_that_looks_at_the_partner_is_found_and_no_other():
    class Looking(Cloze):
        def attention_maps(self, tokens, real):
            """Head 0 looks at the word behind each, head 1 at the last one of the row."""
            size = tokens.shape[1]
            behind = torch.eye(size).roll(1, 1).expand(len(tokens), -1, -1)
            last = torch.zeros(len(tokens), size, size)
            last[..., -1] = 1
            return torch.stack([behind, last], 1).unsqueeze(1)

    parsed = Parsed(("the", "dog", "sleeps"), (Relation("determiner to noun", 0, frozenset({1})),))
    given = heads.asked([parsed, *WORLD.test], WORLD.vocabulary)
    found = heads.found(Looking(MODEL.config), given)
    behind = heads._at(given, "determiner to noun", 1)
    assert found["determiner to noun"] == [[pytest.approx(behind, abs=1e-4), 0.0]]


def test_a_cost_is_what_the_silent_head_loses():
    found = heads.costs(MODEL, ASKED)
    assert set(found) == set(KINDS)

    def nats(model):
        with torch.no_grad():
            logits = model(*ASKED.batch.inputs)
        of_kind = ASKED.of_kind("verb to object")
        return torch.nn.functional.cross_entropy(logits[of_kind], ASKED.batch.label[of_kind])

    wanted = nats(without_heads(MODEL, [(1, 2)])) - nats(MODEL)
    assert found["verb to object"][1][2] == pytest.approx(wanted.item(), abs=2e-4)


def test_agreement_asks_only_where_another_word_stands_between():
    class Says(Cloze):
        """Prefers what it is told to."""

        def __init__(self, preferred):
            super().__init__(MODEL.config)
            self.ids = WORLD.vocabulary.encode(preferred).ids

        def forward(self, tokens, real, gap):
            assert (gap >= 2).all()
            logits = torch.zeros(len(tokens), len(WORLD.vocabulary))
            logits[:, self.ids] = 1.0
            return logits

    verbs = set(heads.other_forms())
    plural = {verb for verb in verbs if not verb.endswith("s")}
    whole = {}
    for name, words in {"plural": plural, "singular": verbs - plural}.items():
        whole[name] = heads.agreement(Says(sorted(words)), WORLD.test, WORLD.vocabulary)
    assert whole["plural"] + whole["singular"] == pytest.approx(1.0)
    assert 0 < whole["plural"] < 1
