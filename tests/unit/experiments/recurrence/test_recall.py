"""The experiments of chapter 1: recall at a distance, and how much gradient comes back."""

import json
import math

import pytest
import torch

from course_lib.device import cpu_generator
from course_lib.experiments.lab.stored import load_stored
from course_lib.experiments.recurrence import gradient as recurrence_gradient
from course_lib.experiments.recurrence import recall as recurrence
from course_lib.recurrent.cells import LSTMCell
from course_lib.recurrent.unroll import run


class TestTask:
    def test_a_sequence_is_one_kept_symbol_and_then_noise(self):
        symbols = recurrence.sequences(7, 200, cpu_generator(0))
        assert symbols.shape == (8, 200)
        assert set(symbols[0].tolist()) == set(range(recurrence.KEPT))
        assert set(symbols[1:].flatten().tolist()) == set(
            range(recurrence.KEPT, recurrence.SYMBOLS)
        )

    def test_accuracy_counts_first_symbols(self):
        model = recurrence.Recaller("tanh", cpu_generator(0))
        with torch.no_grad():
            model.readout.weight.zero_()
            model.readout.bias.copy_(torch.tensor([0.0, 0.0, 9.0, 0.0]))
        symbols = recurrence.sequences(3, 100, cpu_generator(0))
        assert recurrence.accuracy(model, symbols) == pytest.approx(
            (symbols[0] == 2).float().mean().item()
        )


class TestNets:
    def test_all_have_about_the_same_number_of_parameters(self):
        sizes = [
            sum(p.numel() for p in recurrence.Recaller(kind, cpu_generator(0)).parameters())
            for kind in recurrence.KINDS
        ]
        assert max(sizes) < 1.05 * min(sizes)
        assert min(sizes) > 2800  # the page says about 2,900
        assert max(sizes) < 3000

    @pytest.mark.parametrize("kind", recurrence.KINDS)
    def test_the_seed_decides_the_weights(self, kind):
        one, same, other = (recurrence.Recaller(kind, cpu_generator(s)) for s in (0, 0, 1))
        for a, b in zip(one.parameters(), same.parameters(), strict=True):
            assert torch.equal(a, b)
        assert not torch.equal(one.readout.weight, other.readout.weight)

    def test_orthogonal_weights_are(self):
        weight = recurrence.Recaller("tanh, orthogonal", cpu_generator(0)).layer.weight_hh_l0
        assert torch.allclose(weight @ weight.T, torch.eye(48), atol=1e-5)

    @pytest.mark.parametrize(
        ("kind", "bias"), [("LSTM, forget bias 1", 1), ("LSTM, forget bias 5", 5)]
    )
    def test_the_forget_gate_and_no_other_has_the_bias(self, kind, bias):
        layer = recurrence.Recaller(kind, cpu_generator(0)).layer
        plain = recurrence.Recaller("LSTM", cpu_generator(0)).layer
        total = (layer.bias_ih_l0 + layer.bias_hh_l0).view(4, -1)
        before = (plain.bias_ih_l0 + plain.bias_hh_l0).view(4, -1)
        assert torch.equal(total[1], torch.full((22,), float(bias)))
        assert torch.equal(total[[0, 2, 3]], before[[0, 2, 3]])


class TestTraining:
    def test_it_stops_when_it_recalls(self):
        trained = recurrence.train("tanh, orthogonal", 3, 1e-2, seed=0)
        assert trained.updates < recurrence.UPDATES
        assert trained.valid >= recurrence.ENOUGH

    def test_it_stops_when_the_updates_are_used_up(self):
        trained = recurrence.train("LSTM", 30, 1e-3, seed=0, updates=3)
        assert trained.updates == 3
        assert trained.valid < 0.5
        assert trained.loss == pytest.approx(math.log(recurrence.KEPT), abs=0.3)

    def test_a_rate_is_as_good_as_its_worse_seed(self, monkeypatch):
        low, high = recurrence.RATES
        outcome = {
            (low, 98): (300, 1.0, 0.2),
            (low, 99): (400, 1.0, 0.2),
            (high, 98): (50, 1.0, 0.0),
            (high, 99): (100, 1.0, 0.3),
        }
        monkeypatch.setattr(
            recurrence,
            "train",
            lambda kind, distance, rate, seed: recurrence.Trained(None, *outcome[rate, seed]),
        )
        assert recurrence.choose_rate("tanh", 5) == high  # both are right, this one sooner
        outcome[high, 99] = (400, 0.5, 0.7)
        assert recurrence.choose_rate("tanh", 5) == low  # one seed of the other fails
        outcome[low, 98] = (400, 0.5, 0.9)
        assert recurrence.choose_rate("tanh", 5) == high  # as bad, as slow, a lower loss


class TestStored:
    def test_every_kind_distance_and_seed_is_there_once_in_order(self):
        stored = load_stored(recurrence.STORED)
        assert [(e["kind"], e["distance"], e["seed"]) for e in stored] == [
            (kind, distance, seed)
            for kind in recurrence.KINDS
            for distance in recurrence.DISTANCES
            for seed in recurrence.SEEDS
        ]
        for entry in stored:
            assert entry["rate"] in recurrence.RATES
            assert 0 <= entry["right"] <= entry["of"] == 500
            assert 0 < entry["updates"] <= recurrence.UPDATES

    def test_tables_have_a_row_a_seed_and_a_column_a_distance(self):
        recall, updates = recurrence.load_recall(), recurrence.load_updates()
        for table in (recall, updates):
            assert list(table) == list(recurrence.KINDS)
            assert {(len(rows), len(row)) for rows in table.values() for row in rows} == {(3, 5)}
        entry = load_stored(recurrence.STORED)[4]
        place = recurrence.DISTANCES.index(entry["distance"])
        assert recall[entry["kind"]][entry["seed"]][place] == entry["right"] / 500
        assert updates[entry["kind"]][entry["seed"]][place] == entry["updates"]
        assert recurrence.rate_of(entry["kind"], entry["distance"]) == entry["rate"]

    def test_who_recalls_early_has_been_right(self):
        for entry in load_stored(recurrence.STORED):
            if entry["updates"] < recurrence.UPDATES:
                assert entry["right"] >= 475  # validation said 99 %; the test agrees


class TestScript:
    def test_it_writes_what_the_loader_reads(self, tmp_path, monkeypatch):
        monkeypatch.setattr(recurrence, "KINDS", {"tanh": recurrence.KINDS["tanh"]})
        monkeypatch.setattr(recurrence, "DISTANCES", (2,))
        monkeypatch.setattr(recurrence, "SEEDS", (0,))
        monkeypatch.setattr(recurrence, "RATES", (1e-2,))
        recurrence.main([str(tmp_path / "found.json")])
        (entry,) = json.loads((tmp_path / "found.json").read_text())
        assert entry["kind"] == "tanh"
        assert entry["right"] > 475


class TestGradients:
    def test_a_linear_cell_multiplies_by_its_scale(self):
        norms = recurrence_gradient.gradient_norms(
            recurrence_gradient.make_cell("linear", 0.9), steps=20
        )
        for distance, norm in enumerate(norms):
            assert norm == pytest.approx(0.9**distance, rel=1e-4)

    @pytest.mark.parametrize("name", recurrence_gradient.CELLS)
    def test_they_agree_with_finite_differences(self, name):
        """A small change of each component of the state three steps back, and what it does."""
        gradient = recurrence_gradient
        cell = gradient.make_cell(name, None, seed=3)
        drawn = cpu_generator(1000)  # as gradient_norms draws with its seed 0
        inputs = torch.randn(gradient.ROWS, 4, gradient.INPUT, generator=drawn, dtype=torch.float64)
        direction = torch.randn(gradient.ROWS, gradient.WIDTH, generator=drawn, dtype=torch.float64)
        direction /= direction.norm(dim=-1, keepdim=True)
        _, state = run(cell, inputs[:, :1])
        parts = [state] if isinstance(state, torch.Tensor) else list(state)
        flat = torch.cat(parts, dim=-1).detach().requires_grad_()

        def end(flat):
            start = flat if len(parts) == 1 else tuple(flat.chunk(2, dim=-1))
            outputs, _ = run(cell, inputs[:, 1:], start)
            return outputs[:, -1]

        columns = []
        with torch.no_grad():
            for unit in range(flat.shape[1]):
                change = torch.zeros_like(flat)
                change[:, unit] = 1e-6
                difference = end(flat + change) - end(flat - change)
                columns.append((difference * direction).sum(-1) / 2e-6)
        wanted = torch.stack(columns, dim=-1).norm(dim=-1).log().mean().exp().item()
        assert gradient.gradient_norms(cell, steps=3)[3] == pytest.approx(wanted, rel=1e-4)

    def test_the_first_is_1_and_there_is_one_for_each_distance(self):
        norms = recurrence_gradient.gradient_norms(recurrence_gradient.make_cell("GRU"), 6)
        assert len(norms) == 7
        assert norms[0] == pytest.approx(1.0)

    def test_a_scale_is_the_singular_value_of_every_gate(self):
        cell = recurrence_gradient.make_cell("GRU", 1.5)
        for block in cell.weight_hh.split(recurrence_gradient.WIDTH):
            values = torch.linalg.svdvals(block.detach())
            assert torch.allclose(values, torch.full_like(values, 1.5), atol=1e-5)

    def test_without_a_scale_weights_are_torchs(self):
        cell = recurrence_gradient.make_cell("tanh", seed=4)
        bound = 1 / math.sqrt(recurrence_gradient.WIDTH)
        assert 0.9 * bound < cell.weight_hh.abs().max() <= bound

    def test_the_forget_bias_opens_the_forget_gate(self):
        cell = LSTMCell(3, 4, generator=cpu_generator(0))
        recurrence_gradient.open_forget_gate(cell.bias_ih, cell.bias_hh, 2.5)
        assert torch.equal((cell.bias_ih + cell.bias_hh)[4:8], torch.full((4,), 2.5))
        assert (cell.bias_ih[:4] != 2.5).all()
        assert (cell.bias_hh[8:] != 0).all()

    def test_profiles_are_by_cell_scale_and_distance(self):
        found = recurrence_gradient.profiles(["linear", "tanh"], [0.5, 2.0], [0, 4])
        assert list(found) == ["linear", "tanh"]
        assert list(found["tanh"]) == ["× 0.5", "× 2"]
        assert found["linear"]["× 2"] == pytest.approx([1.0, 16.0], rel=1e-4)

    def test_relu_cuts_off_more_than_tanh_squashes(self):
        relu, tanh = (
            recurrence_gradient.gradient_norms(recurrence_gradient.make_cell(name, 1.0), 30)[30]
            for name in ("ReLU", "tanh")
        )
        assert relu < 0.1 * tanh
