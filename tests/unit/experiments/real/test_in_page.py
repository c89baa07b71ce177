"""What stands in the translator before its network is fetched is what the network gives."""

import json

import pytest

from course_lab.experiments.real import in_page, networks
from course_lib.training.checkpoint import read_tensors


def test_the_stored_examples_come_out_again():
    for made, stored in zip(in_page.made(), in_page.stored(), strict=True):
        assert made._replace(rows=[]) == stored._replace(rows=[])
        for row, kept in zip(made.rows, stored.rows, strict=True):
            assert row == pytest.approx(kept, abs=2e-3)


def test_the_file_of_the_page_holds_weights_and_tokenizer(tmp_path):
    path = tmp_path / "net.safetensors"
    path.write_bytes(in_page.in_one_file())
    tensors, _ = read_tensors(networks.FOLDER / f"{in_page.NAME}.safetensors")
    found, told = read_tensors(path)
    assert set(found) == set(tensors)
    assert all((found[name] == tensors[name]).all() for name in tensors)
    told = json.loads(told["told"]) if isinstance(told.get("told"), str) else told
    tokenizer = networks.load(in_page.NAME).tokenizer
    assert len(told["tokens"]) == len(tokenizer)
    assert told["twins"]["´"] == "'"
