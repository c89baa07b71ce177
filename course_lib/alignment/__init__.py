"""Word alignment without a network: IBM Model 1, and the error rate that judges any aligner."""

from course_lib.alignment.error_rate import LinkScore, alignment_error_rate, score_links
from course_lib.alignment.ibm1 import IBMModel1

__all__ = ["IBMModel1", "LinkScore", "alignment_error_rate", "score_links"]
