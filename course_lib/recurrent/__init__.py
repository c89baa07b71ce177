"""Recurrent nets from their equations, and a packed encoder whose tests prove it equal to them."""

from .cells import GRUCell, LSTMCell, LSTMState, RNNCell, gru_update, lstm_update
from .encoder import Encoded, RecurrentEncoder
from .lstmn import DeepFusionCell, LSTMNCell, LSTMNOutput, LSTMNState, run_lstmn
from .unroll import run
