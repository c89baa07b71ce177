"""Measures of translations: BLEU, exact match by length, alignment error, perplexity."""

from .accuracy import accuracy, classified
from .alignment import attention_error_rate, links_from_weights
from .bleu import Bleu, Chrf, corpus_bleu, corpus_chrf, greedy_bleu, tokenizer_for
from .teacher_forcing import TeacherForced, forced_attention, map_teacher_forced, teacher_forced
from .translate import Translation, over_words, translate
