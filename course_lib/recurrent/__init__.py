"""Recurrent nets from their equations, and the packed encoder that is proved equal to them."""

from course_lib.recurrent.cells import (
    GRUCell,
    LSTMCell,
    LSTMState,
    RNNCell,
    gru_update,
    lstm_update,
)
from course_lib.recurrent.encoder import Encoded, RecurrentEncoder
from course_lib.recurrent.unroll import run

__all__ = [
    "Encoded",
    "GRUCell",
    "LSTMCell",
    "LSTMState",
    "RNNCell",
    "RecurrentEncoder",
    "gru_update",
    "lstm_update",
    "run",
]
