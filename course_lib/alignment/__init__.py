"""Word alignment without a network: IBM Model 1, and the error rate that judges any aligner."""

from .error_rate import LinkMetrics, alignment_error_rate, link_metrics
from .ibm1 import IBMModel1
