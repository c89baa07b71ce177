"""Training: one loop for every model, and runs that survive being killed."""

from course_lib.training.checkpoint import Run, load_run, read_config, read_history, save_run
from course_lib.training.config import FitConfig
from course_lib.training.fit import fit
from course_lib.training.history import History, Record
from course_lib.training.loss import TokenLoss, measure, perplexity, summed_loss, token_loss
from course_lib.training.schedule import SCHEDULES, paper_peak

__all__ = [
    "SCHEDULES",
    "FitConfig",
    "History",
    "Record",
    "Run",
    "TokenLoss",
    "fit",
    "load_run",
    "measure",
    "paper_peak",
    "perplexity",
    "read_config",
    "read_history",
    "save_run",
    "summed_loss",
    "token_loss",
]
