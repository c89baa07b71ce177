"""Every mutant, one module a part of the project."""

from tools.mutants.lists import models

MUTANTS = [*models.MUTANTS]
