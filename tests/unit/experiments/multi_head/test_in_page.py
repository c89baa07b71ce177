"""The network of the page: sentences that it never saw, and what the chapter says of it."""

import torch

from course_lab.experiments.multi_head import gaps, in_page
from course_lib.models.cloze import without_heads

PAGE = in_page.load()


def best(model, text, gap):
    shares = in_page.filled(PAGE._replace(model=model), text.split(), gap)
    return PAGE.vocabulary.decode([int(shares.argmax())])


def test_without_its_first_head_it_takes_women_for_a_woman():
    text, gap = in_page.SENTENCES[0]
    reads = in_page.mean_reads(PAGE)
    assert best(PAGE.model, text, gap) == "have"
    assert best(without_heads(PAGE.model, [(0, 0)], reads), text, gap) == "has"
    # This one attends to the subject, and is not missed.
    assert best(without_heads(PAGE.model, [(1, 3)], reads), text, gap) == "have"
    batch = gaps.batch_of([text.split()], [gap], PAGE.vocabulary)
    with torch.no_grad():
        looks = PAGE.model.attention_maps(*batch.inputs[:2])[0, 1, 3, gap]
    assert looks[1] > 0.8
