"""The experiment of chapter 1: updates until a net recalls, and what is stored of them."""

import math
from statistics import median

import pytest
import torch

from course_lab.experiments.lab.stored import load_stored
from course_lab.experiments.recurrence import recall
from course_lab.experiments.recurrence.nets import KEPT, KINDS, SYMBOLS, Recaller, stack
from course_lib.device import cpu_generator


class TestTask:
    def test_a_sequence_is_one_kept_symbol_and_then_noise(self):
        symbols = recall.sequences(7, 200, cpu_generator(0))
        assert symbols.shape == (8, 200)
        assert set(symbols[0].tolist()) == set(range(KEPT))
        assert set(symbols[1:].flatten().tolist()) == set(range(KEPT, SYMBOLS))

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

    def test_who_is_not_there_when_the_updates_are_used_up_has_no_time(self):
        trained = recall.train("LSTM", 30, 1e-3, seeds=(0,), updates=recall.CHECK_EVERY)
        assert trained.updates == [None]

    def test_the_first_time_counts_and_the_others_go_on(self, monkeypatch):
        shares = iter([[0.2, 1.0, 0.5], [0.99, 0.1, 0.98], [0.0, 1.0, 0.97]])
        monkeypatch.setattr(recall, "accuracies", lambda *_: next(shares))
        monkeypatch.setattr(recall, "CHECK_EVERY", 2)
        trained = recall.train("tanh", 2, 1e-3, seeds=(0, 1, 2), updates=7)
        assert trained.updates == [4, 2, None]


def the_file(records, monkeypatch):
    """What `load_stored` finds, in place of the book's file."""
    monkeypatch.setattr(recall, "load_stored", lambda name: records)


class TestStored:
    def test_every_run_is_there_once_with_ten_seeds(self):
        stored = load_stored(recall.STORED)
        runs = [(e["kind"], e["distance"], e["rate"]) for e in stored]
        assert sorted(runs) == sorted(recall.planned())
        for entry in stored:
            assert len(entry["updates"]) == len(recall.SEEDS) == 10
            for updates in entry["updates"]:
                assert updates is None or updates in range(50, recall.UPDATES + 1, 50)

    def test_those_go_on_who_recall_with_all_seeds_and_then_the_two_soonest(self):
        asked = {k: {s.kind for s in recall.planned() if s.distance == k} for k in recall.DISTANCES}
        assert asked[10] == asked[20] == set(KINDS)
        whole = {kind for kind in KINDS if recall.share_recalled(kind, 20) == 1}
        assert asked[50] == whole | {"LSTM"}
        at_50 = recall.DISTANCES.index(50)
        medians = {
            kind: median(math.inf if row[at_50] is None else row[at_50] for row in rows)
            for kind, rows in recall.load_updates().items()
            if kind in asked[50]
        }
        assert asked[100] == set(sorted(medians, key=medians.get)[:2])

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

    def test_a_table_has_a_row_a_seed_and_a_column_a_distance(self):
        table = recall.load_updates()
        assert list(table) == list(KINDS)
        assert {(len(rows), len(row)) for rows in table.values() for row in rows} == {(10, 4)}
        for entry in load_stored(recall.STORED):
            kind, k = entry["kind"], entry["distance"]
            if entry["rate"] == recall.better_rate(kind, k):
                place = recall.DISTANCES.index(k)
                assert [row[place] for row in table[kind]] == entry["updates"]

    def test_what_was_not_run_is_no_number(self):
        for kind, rows in recall.load_updates().items():
            furthest = recall.FURTHEST.get(kind, 100)
            beyond = [distance > furthest for distance in recall.DISTANCES]
            for row in rows:
                assert [u is not None and math.isnan(u) for u in row] == beyond
            shares = [recall.share_recalled(kind, distance) for distance in recall.DISTANCES]
            assert [math.isnan(share) for share in shares] == beyond

    def test_a_share_is_of_the_seeds_that_recall_at_the_better_rate(self, monkeypatch):
        rows = {3e-3: [None, 800, None, 2500], 1e-2: [None, 100, None, None]}
        the_file(
            [{"kind": "GRU", "distance": 50, "rate": r, "updates": u} for r, u in rows.items()],
            monkeypatch,
        )
        assert recall.share_recalled("GRU", 50) == 0.5
        assert recall.share_recalled("GRU", 50, 1e-2) == 0.25


class TestRecord:
    def test_a_record_has_the_run_and_its_updates(self, monkeypatch):
        monkeypatch.setattr(recall, "train", lambda *run: recall.Trained({}, [len(run), None]))
        assert recall.record(recall.Setting("GRU", 10, 0.01)) == {
            "kind": "GRU",
            "distance": 10,
            "rate": 0.01,
            "updates": [3, None],
        }

    def test_ten_nets_made_again_take_about_the_stored_updates(self):
        setting = recall.Setting("tanh, orthogonal", 10, 0.01)
        (stored,) = [e for e in load_stored(recall.STORED) if tuple(e.values())[:3] == setting]
        again = recall.record(setting)["updates"]
        assert max(abs(a - b) for a, b in zip(again, stored["updates"], strict=True)) <= 100
