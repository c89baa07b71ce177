"""The library under the course From Recurrence to Attention.

Each room uses only those above it in this list:

    errors, files, device       one error line, whole files, where to compute
    attention      attend, scores, masks, positions, many heads and their cache: no network yet
    recurrent      cells from their equations, the loop over time, the packed encoder, the LSTMN
    data           mini_world (the grammar), corpora (real data), own (yours), tokens, batches
    models         one file a paper, on one protocol; registry finds them by name
    alignment      IBM Model 1 and the alignment error rate
    training       fit, objectives, schedules, checkpoints
    decoding       from a model's probabilities to a sentence: greedily, by beams, by chance
    evaluation     translate, BLEU, perplexity, accuracy, alignment of attention
    cli            `python -m course_lib`
    homework       what the notebook of a homework checks and hands in with

A name is imported from the module that defines it, so that a change reaches only what uses it:

    from course_lib.attention.attend import attend
"""

__version__ = "1.0.0"
