"""First weights: by the type of the part, and for the models of the book the very same as ever."""

import pytest
import torch
from torch import nn

from course_lab.experiments.seq2seq.one_vector import NarrowCho
from course_lib.models.cho import ChoConfig
from course_lib.models.parts import RecurrentLinear, initialise
from course_lib.models.registry import build
from course_lib.recurrent.cells import LSTMCell
from tests.sizes import small


def seed(number: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(number)


def is_orthogonal(gate: torch.Tensor) -> bool:
    return torch.allclose(gate @ gate.T, torch.eye(len(gate)), atol=1e-5)


DRAWS = {
    # Uniform and normal draws, in the order of the parts: what stored results hang on. (To make a
    # matrix orthogonal is linear algebra, whose last digits differ between processors: those are
    # left out here.)
    "bahdanau": 12.85545,
    "cho": 0.82556,
    "dot": 4.01556,
    "lstmn": -10.18872,
    "luong": 1.7186,
    "sutskever": -0.02678,
    "transformer": 23.04698,
    "narrow": 10.88015,
}


def make(name: str) -> nn.Module:
    if name == "narrow":
        return NarrowCho(ChoConfig(12, 12, 8, 12), 3, seed())
    return build(name, small(name, 12, embedding=8, hidden=12), seed())


def drawn(model: nn.Module) -> float:
    """A sum in which each number has its own place; the last digits belong to the processor."""
    kept = [
        tensor.double().flatten()
        for name, tensor in model.state_dict().items()
        if "weight_hh" not in name and "recurrent" not in name
    ]
    numbers = torch.cat(kept)
    return (numbers * torch.linspace(-1, 1, len(numbers), dtype=torch.float64)).sum().item()


@pytest.mark.parametrize("name", DRAWS)
def test_the_first_weights_of_a_seed_do_not_move(name):
    assert drawn(make(name)) == pytest.approx(DRAWS[name], abs=1e-4)


def test_each_type_has_its_draw():
    model = nn.ModuleDict(
        {
            "embed": nn.Embedding(500, 20),
            "linear": nn.Linear(20, 30),
            "norm": nn.LayerNorm(20),
            "root": nn.RMSNorm(20),
            "convolution": nn.Conv1d(4, 6, 3),
            "gru": nn.GRU(5, 8, bidirectional=True),
            "lstm": LSTMCell(5, 8),
            "table": nn.Linear(20, 20),
            "recurrent": nn.Linear(20, 20),
            "gates": RecurrentLinear(8, 24),
        }
    )
    for parameter in model.parameters():
        nn.init.constant_(parameter, 7.0)
    initialise(model, seed())
    assert model["embed"].weight.std().item() == pytest.approx(0.1, rel=0.05)
    for name in ("linear", "table", "recurrent", "convolution"):
        assert (model[name].bias == 0).all()
        bound = (6 / (50 if name == "linear" else 40 if name != "convolution" else 30)) ** 0.5
        assert 0.9 * bound < model[name].weight.abs().max() <= bound
    assert not is_orthogonal(model["recurrent"].weight)  # a name says nothing
    for name in ("norm", "root"):
        assert (model[name].weight == 1).all()
    assert (model["norm"].bias == 0).all()
    matrices = [model["gru"].weight_hh_l0, model["gru"].weight_hh_l0_reverse]
    matrices += [model["lstm"].weight_hh, model["gates"].weight]
    assert all(is_orthogonal(gate) for matrix in matrices for gate in matrix.split(8))
    assert not is_orthogonal(model["gru"].weight_ih_l0[:8])
    biases = [model["gru"].bias_hh_l0, model["lstm"].bias_ih, model["gates"].bias]
    assert all((bias == 0).all() for bias in biases)


def test_tied_weights_are_drawn_once_as_what_they_are_first():
    embed, words = nn.Embedding(50, 20), nn.Linear(20, 50, bias=False)
    words.weight = embed.weight
    initialise(nn.Sequential(embed, words), seed())
    alone = nn.Embedding(50, 20)
    initialise(alone, seed())
    assert torch.equal(words.weight, alone.weight)


class Query(nn.Module):
    """A learned vector of its own, as hierarchical attention has it."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)
        self.vector = nn.Parameter(torch.empty(5))


def test_an_unknown_part_is_named_and_not_guessed():
    with pytest.raises(TypeError, match=r"how to draw vector of a Query; give it .*draw_weights"):
        initialise(nn.Sequential(Query()), seed())


def test_a_part_may_draw_its_own_weights():
    class Drawn(Query):
        def draw_weights(self, generator):
            nn.init.uniform_(self.vector, 1, 2, generator=generator)

    one, two, other = Drawn(), Drawn(), Drawn()
    for module, number in ((one, 0), (two, 0), (other, 1)):
        initialise(module, seed(number))
    assert (one.vector >= 1).all()
    assert torch.equal(one.vector, two.vector)
    assert not torch.equal(one.vector, other.vector)
    assert (one.layer.bias == 0).all()
