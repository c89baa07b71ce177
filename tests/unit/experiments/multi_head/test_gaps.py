"""The gaps of chapter 9's small Transformer: drawn evenly, among real words, as the seed says."""

from course_lab.experiments.multi_head import gaps
from course_lib.data.tokens.tokenizer import PAD

WORLD = gaps.make_world(300, 60)


def test_a_gap_hides_the_word_that_is_asked_for():
    batch = gaps.batch_of(
        [("the", "dog", "sleeps", "."), ("dogs", "sleep", ".")], [1, 0], WORLD.vocabulary
    )
    tokens, real, places = batch.inputs
    assert real.tolist() == [[True] * 4, [True] * 3 + [False]]
    assert tokens[0, 1] == tokens[1, 0] == gaps.GAP
    assert tokens[1, 3] == PAD
    assert [WORLD.vocabulary.decode([i]) for i in batch.label.tolist()] == ["dog", "dogs"]
    assert places.tolist() == [1, 0]


def test_width_and_parameters_do_not_depend_on_the_number_of_heads():
    sizes = {
        sum(p.numel() for p in gaps.make_model(heads, WORLD, 0).parameters()) for heads in (1, 2, 4)
    }
    assert len(sizes) == 1
