"""Every mutant, one module a part of the project."""

from tools.mutants.lists import (
    alignment,
    attention,
    commands,
    data,
    decoding,
    evaluation,
    experiments,
    files,
    gates,
    hierarchical,
    mini_world,
    models,
    nearby,
    pairs,
    recurrent,
    soft_and_hard,
    training,
    transformer,
)
from tools.mutants.mutant import Mutant

MUTANTS: list[Mutant] = [
    *attention.MUTANTS,
    *decoding.MUTANTS,
    *models.MUTANTS,
    *hierarchical.MUTANTS,
    *nearby.MUTANTS,
    *pairs.MUTANTS,
    *recurrent.MUTANTS,
    *training.MUTANTS,
    *evaluation.MUTANTS,
    *alignment.MUTANTS,
    *data.MUTANTS,
    *mini_world.MUTANTS,
    *files.MUTANTS,
    *gates.MUTANTS,
    *experiments.MUTANTS,
    *commands.MUTANTS,
    *soft_and_hard.MUTANTS,
    *transformer.MUTANTS,
]
