"""What the commands' options mean: directions, seeds, sentences counted and scored, axes named."""

import json
from types import SimpleNamespace

import pytest
import torch

from course_lib.cli import evaluate, train
from course_lib.cli.main import main
from course_lib.cli.tasks import TranslationTask
from course_lib.data.tokens.tokenizer import load_tokenizer

GERMAN, ENGLISH = ("Hund", "der", "schläft"), ("dog", "the", "sleeps")


@pytest.fixture
def asked(monkeypatch):
    """Runs `train` up to `fit`, and gives what `fit` would have been given."""

    def ask(*options: str, model: str = "cho") -> SimpleNamespace:
        found = []

        def remember(model, batches, held_out, config, **rest):
            found.append(SimpleNamespace(model=model, batches=batches, config=config, **rest))
            return SimpleNamespace(interrupted=False, steps=0, seconds=0.0)

        monkeypatch.setattr(train, "fit", remember)
        assert main(["train", model, *options]) == 0
        return found[0]

    return ask


def vocabulary(tokenizer) -> set[str]:
    return {tokenizer.from_ids([i]).tokens[0] for i in range(len(tokenizer))}


@pytest.mark.parametrize(
    ("source", "target", "read", "written"),
    [("de", "en", GERMAN, ENGLISH), ("en", "de", ENGLISH, GERMAN)],
)
def test_the_direction_is_the_one_that_was_asked_for(
    source, target, read, written, asked, tiny, tmp_path
):
    options = ["--source", source, "--target", target, "--run", str(tmp_path / "run")]
    given = asked(*tiny, "--pairs", "300", *options)
    sides = [
        load_tokenizer(tmp_path / "run" / f"{side}_tokenizer.json") for side in ("source", "target")
    ]
    assert set(read) <= vocabulary(sides[0])
    assert not set(read) & vocabulary(sides[1])
    assert set(written) <= vocabulary(sides[1])
    assert not set(written) & vocabulary(sides[0])
    # The batches too, not the tokenizers alone: a side that was turned would be all unknown.
    batch = next(given.batches.epoch(0))
    assert int((batch.source == 1).sum()) == int((batch.target_in == 1).sum()) == 0


@pytest.mark.parametrize("model", ["cho", "decomposable"])
def test_the_seed_decides_weights_order_and_dropout(model, asked, tiny, small_corpora, tmp_path):
    zero, one, again = (
        asked(*tiny, "--seed", seed, "--run", str(tmp_path / f"{number}"), model=model)
        for number, seed in enumerate(["0", "1", "0"])
    )
    vectors = [
        torch.nn.utils.parameters_to_vector(given.model.parameters())
        for given in (zero, one, again)
    ]
    assert torch.equal(vectors[0], vectors[2])
    assert not torch.equal(vectors[0], vectors[1])
    orders = [[batch.index for batch in given.batches.epoch(0)] for given in (zero, one, again)]
    assert orders[0] == orders[2] != orders[1]
    assert (zero.config.seed, one.config.seed) == (0, 1)


def scores_of(folder, tmp_path) -> dict:
    stored = tmp_path / "scores.json"
    assert main(["evaluate", str(folder), "--json", str(stored)]) == 0
    return json.loads(stored.read_text())


def test_no_sentence_is_left_out_of_the_scores(trained, tmp_path, monkeypatch):
    # One reference is longer than any pair in training may be; so are many words to read at once.
    pairs = [
        (("der", "Hund", "."), ("the", "dog") * 60),
        (("die", "Katze", "."), ("the", "cat")),
        (("der", "Hund") * 25, ("the", "dog")),
        (("die", "Katze") * 45, ("the", "cat")),
    ]
    monkeypatch.setattr(TranslationTask, "load", lambda task, split: pairs)
    counted = []
    measure = evaluate.teacher_forced

    def count(model, batches, **options):
        counted.append(len(batches))
        return measure(model, batches, **options)

    monkeypatch.setattr(evaluate, "teacher_forced", count)
    scores = scores_of(trained["cho"], tmp_path)
    assert scores["sentences"] == len(pairs)
    assert counted == [len(pairs)]


def test_words_that_training_never_had_are_named(trained, capsys):
    assert main(["translate", str(trained["cho"]), "der Vierbeiner der Hund blorkt ."]) == 0
    assert "training never had it: Vierbeiner, blorkt\n" in capsys.readouterr().err
