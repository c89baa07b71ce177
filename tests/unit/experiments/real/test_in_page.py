"""What stands in the translator before its network is fetched is what the network gives."""

import pytest

from course_lab.experiments.lab.page_net import load_net
from course_lab.experiments.real import in_page, networks


def test_the_stored_sentence_comes_out_again():
    made, stored = in_page.made(), in_page.stored()
    assert made._replace(rows=[]) == stored._replace(rows=[])
    for row, kept in zip(made.rows, stored.rows, strict=True):
        assert row == pytest.approx(kept, abs=2e-3)


def test_the_file_of_the_page_holds_weights_and_tokenizer(tmp_path):
    path = tmp_path / "net.safetensors"
    path.write_bytes(in_page.in_one_file())
    tensors, _ = load_net(networks.FOLDER / f"{in_page.NAME}.safetensors")
    found, told = load_net(path)
    assert set(found) == set(tensors)
    assert all((found[name] == tensors[name]).all() for name in tensors)
    assert len(told["tokens"]) == len(networks.load(in_page.NAME).tokenizer)
    assert told["twins"]["´"] == "'"
