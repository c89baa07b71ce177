"""Measures of translations: BLEU, exact match by length, alignment error, perplexity."""

from course_lib.evaluation.alignment import (
    attention_error_rate,
    links_from_weights,
    score_attention,
)
from course_lib.evaluation.bleu import Bleu, corpus_bleu
from course_lib.evaluation.forced import (
    TeacherForced,
    forced_attention,
    perplexity,
    teacher_forced,
)
from course_lib.evaluation.length import Bin, Interval, exact_match_by_length, wilson_interval
from course_lib.evaluation.translate import Translation, translate

__all__ = [
    "Bin",
    "Bleu",
    "Interval",
    "TeacherForced",
    "Translation",
    "attention_error_rate",
    "corpus_bleu",
    "exact_match_by_length",
    "forced_attention",
    "links_from_weights",
    "perplexity",
    "score_attention",
    "teacher_forced",
    "translate",
    "wilson_interval",
]
