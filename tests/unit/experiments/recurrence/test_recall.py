"""The experiment of chapter 1: updates until a net recalls, and what is stored of them."""

import pytest
import torch

from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.recurrence import recall
from course_lab.experiments.recurrence.nets import Recaller, stack
from course_lib.device import cpu_generator


class TestTask:
    def test_accuracy_counts_first_symbols_for_each_net(self):
        nets = [Recaller("tanh", cpu_generator(0)) for _ in range(2)]
        for net, always in zip(nets, (2, 3), strict=True):
            with torch.no_grad():
                net.readout.weight.zero_()
                net.readout.bias.copy_(9.0 * torch.eye(4)[always])
        symbols = recall.sequences(3, 100, cpu_generator(0))
        shares = recall.accuracies("tanh", stack(nets), symbols)
        wanted = [(symbols[0] == always).float().mean().item() for always in (2, 3)]
        assert shares == pytest.approx(wanted)


class TestTraining:
    @pytest.mark.parametrize("kind", ["tanh, orthogonal", "LSTM, forget bias 5"])
    def test_a_net_learns_beside_others_what_it_learns_alone(self, kind):
        together = recall.train(kind, 4, 1e-2, seeds=(3, 5), updates=3).weights
        alone = recall.train(kind, 4, 1e-2, seeds=(5,), updates=3).weights
        for name, weight in together.items():
            assert torch.allclose(weight[1], alone[name][0], atol=1e-5)
            assert not torch.allclose(weight[0], weight[1], atol=1e-3)

    def test_it_stops_when_all_recall(self):
        trained = recall.train("tanh, orthogonal", 3, 1e-2, seeds=(0, 1))
        assert all(0 < u <= 200 and u % recall.CHECK_EVERY == 0 for u in trained.updates)
        unseen = recall.sequences(3, 500, cpu_generator(7))
        assert min(recall.accuracies("tanh, orthogonal", trained.weights, unseen)) > 0.95


def the_file(records, monkeypatch):
    """What `load_stored` finds, in place of the book's file."""
    monkeypatch.setattr(recall, "load_stored", lambda name: records)


class TestStored:
    def test_the_better_rate_is_that_of_more_seeds_then_of_fewer_updates(self, monkeypatch):
        low, high = 3e-3, 1e-2
        updates = {low: [300, 400, None], high: [100, None, None]}
        records = [
            {"kind": "GRU", "distance": 10, "rate": rate, "updates": updates[rate]}
            for rate in (low, high)
        ]
        the_file(records, monkeypatch)
        assert recall.better_rate("GRU", 10) == low
        updates[high][1:] = [2000, 500]
        assert recall.better_rate("GRU", 10) == high  # three of three
        updates[low][2] = 450
        assert recall.better_rate("GRU", 10) == low  # a median of 400 against 500
        updates[low][:] = updates[high][:] = [None] * 3
        assert recall.better_rate("GRU", 10) == low  # none with either: the first


class TestRecord:
    def test_ten_nets_made_again_take_about_the_stored_updates(self):
        setting = recall.Setting("tanh, orthogonal", 10, 0.01)
        (stored,) = [e for e in load_stored(recall.STORED) if tuple(e.values())[:3] == setting]
        again = recall.record(setting)["updates"]
        assert max(abs(a - b) for a, b in zip(again, stored["updates"], strict=True)) <= 100
