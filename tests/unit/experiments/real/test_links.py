"""Attention beside the links of IBM Model 1: counted by hand, and what is stored."""

import torch

from course_lab.experiments.real import links, networks

WORDS = (["ein", "kleiner", "hund", "rennt", "."], ["a", "small", "dog", "is", "running", "."])


def test_content_words_are_those_with_letters_that_do_no_grammar():
    assert links.content(["The", "dog", "'", "is", "running", "2", "."]) == [1, 4]


def test_agreement_counts_the_content_words_that_the_yardstick_links():
    yardstick = {(0, 0), (1, 1), (2, 2), (4, 5)}
    found = {(0, 0), (1, 1), (3, 2), (3, 4), (4, 5)}
    assert links.agreement([found, set()], [yardstick, {(2, 2)}], [WORDS, WORDS]) == (1, 3)


def test_attention_on_a_mark_or_the_end_makes_no_link():
    # Three English words; columns: the language mark, two German words, the end mark.
    weights = torch.tensor([[0.1, 0.6, 0.2, 0.1], [0.5, 0.2, 0.3, 0.0], [0.0, 0.1, 0.7, 0.2]])
    assert links.attention_links([weights], 0, 1) == [{(0, 0), (1, 2)}]
    assert links.attention_links([weights], 1, 1) == [{(1, 1)}]
    ends = torch.tensor([[0.0, 0.1, 0.2, 0.7]])
    assert links.attention_links([ends], 0, 1) == [set()]


def test_heads_and_their_mean_are_the_networks_own():
    network = networks.load("transformer-both")
    pairs = [("2en Ein Hund rennt.", "A dog is running.")]
    heads = links.head_maps(network.model, network.tokenizer, pairs)
    assert len(heads) == 16
    (mean,) = links.forced_attention(network.model, pairs, *network.tokenizers)
    last = torch.stack([maps[0] for maps in heads[12:]]).mean(0)
    assert mean.shape == (5, 6)
    assert torch.allclose(last, mean, atol=1e-5)
