"""Results of long runs that the book shows, as JSON.

bottleneck.json          python -m course_lib.experiments.bottleneck seeds
bottleneck_rates.json    python -m course_lib.experiments.bottleneck rates
hansards.json            python -m course_lib.experiments.alignment
one_vector.json          python -m course_lib.experiments.one_vector
one_vector_pretraining.json    python -m course_lib.experiments.one_vector_pretraining
one_vector_tuning.json, one_vector_pretraining_tuning.json    the same two with --tune
recurrence.json          python -m course_lib.experiments.recurrence
soft_alignment.json      python -m course_lib.experiments.soft_alignment
multi30k_bahdanau.json   python -m course_lib train bahdanau --data multi30k --source de --target en
                         python -m course_lib evaluate RUN --json multi30k_bahdanau.json
"""

import json
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent


def load_stored(name: str) -> Any:
    """The content of one file, by its name without ".json"."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
