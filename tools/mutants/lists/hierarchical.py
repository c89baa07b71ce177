"""Mistakes in attention on two levels, in its documents and its controls."""

from tools.mutants.mutant import Mutant

_MODEL = "tests/unit/models/test_hierarchical.py"
_DOCUMENTS = "tests/unit/data/mini_world/test_documents.py"
_BATCH = "tests/unit/data/test_document.py"
_REVIEWS = "tests/unit/data/corpora/test_reviews.py"
_CONTROLS = "tests/unit/experiments/two_levels/test_controls.py"
_FOLDS = "tests/unit/experiments/two_levels/test_reviews.py"
_LOOKS = "tests/unit/experiments/two_levels/test_looks.py"
_DROPOUT = "tests/unit/models/test_dropout_and_first_weights.py"

MUTANTS = [
    Mutant(
        "padding words are attended to",
        "course_lib/models/hierarchical.py",
        "score=dot, mask=for_keys(mask))",
        "score=dot)",
        _MODEL,
    ),
    Mutant(
        "no dropout before the classes of documents",
        "course_lib/models/hierarchical.py",
        "logits = self.classes(self.dropout(document.vector))",
        "logits = self.classes(document.vector)",
        _DROPOUT,
    ),
    Mutant(
        "the learned query reads keys in the place of annotations",
        "course_lib/models/hierarchical.py",
        "attend(query, keys, annotations,",
        "attend(query, keys, keys,",
        _MODEL,
    ),
    Mutant(
        "the learned query's keys without tanh",
        "course_lib/models/hierarchical.py",
        "torch.tanh(self.keys(annotations))",
        "self.keys(annotations)",
        _MODEL,
    ),
    Mutant(
        "the learned query's score is scaled",
        "course_lib/models/hierarchical.py",
        "score=dot, mask",
        "score=lambda q, k: dot(q, k) / 2, mask",
        _MODEL,
    ),
    Mutant(
        "the sentences are read by the words' query",
        "course_lib/models/hierarchical.py",
        "return self.sentence_query(annotations",
        "return self.word_query(annotations",
        _MODEL,
    ),
    Mutant(
        "sentence vectors are attended to without a sentence encoder",
        "course_lib/models/hierarchical.py",
        "self.sentence_encoder(rows, present).annotations",
        "rows",
        _MODEL,
    ),
    Mutant(
        "sentence weights stay on the left, where no empty sentence stood",
        "course_lib/models/hierarchical.py",
        "sentence_weights[real] = document.weights[present]",
        "sentence_weights[present] = document.weights[present]",
        _MODEL,
    ),
    Mutant(
        "an empty document is let through",
        "course_lib/models/hierarchical.py",
        "        elif not found:\n",
        "        elif False:\n",
        _MODEL,
    ),
    Mutant(
        "the deciding sentence names somebody else",
        "course_lib/data/mini_world/documents.py",
        "answers = [(KING, where) for where in PLACES]",
        "answers = [(deciding.people[0], where) for where in PLACES]",
        _DOCUMENTS,
    ),
    Mutant(
        "the documents of a family have rivals of their own",
        "course_lib/data/mini_world/documents.py",
        "(*lines[:place], deciding.filled(*answer), *lines[place:]),",
        "(*lines[label:place], deciding.filled(*answer), *lines[place:], *lines[:label]),",
        _DOCUMENTS,
    ),
    Mutant(
        "rivals are mostly in the garden",
        "course_lib/data/mini_world/documents.py",
        "frame.filled(pick(frame.people), pick(PLACES))",
        "frame.filled(pick(frame.people), pick((*PLACES, PLACES[0])))",
        _DOCUMENTS,
    ),
    Mutant(
        "the deciding sentence never comes last",
        "course_lib/data/mini_world/documents.py",
        "place = int(random.random() * size)",
        "place = int(random.random() * (size - 1))",
        _DOCUMENTS,
    ),
    Mutant(
        "a silent document still names the king's place",
        "course_lib/data/mini_world/documents.py",
        "answers.append((pick(deciding.people), pick(PLACES)))",
        "answers.append((KING, pick(PLACES)))",
        _DOCUMENTS,
    ),
    Mutant(
        "the king may be another's rival",
        "course_lib/data/mini_world/frames.py",
        "return Frame(frame, tuple(name for name in people if name != KING))",
        "return Frame(frame, tuple(people))",
        _DOCUMENTS,
    ),
    Mutant(
        "frames are in every split",
        "course_lib/data/mini_world/frames.py",
        'bucket = stable_hash(" ".join(frame.words), len(_FRAME_SPLITS))',
        "bucket = int(words is None) or len(found['train'][0]) % len(_FRAME_SPLITS)",
        _DOCUMENTS,
    ),
    Mutant(
        "frames may say where somebody is not",
        "course_lib/data/mini_world/frames.py",
        "len(sentence.clauses) > 1 or clause.negated or not",
        "len(sentence.clauses) > 1 or not",
        _DOCUMENTS,
    ),
    Mutant(
        "padding words count as words",
        "course_lib/data/document_batch.py",
        "mask[row, place, : len(line)] = True",
        "mask[row, place] = True",
        _BATCH,
    ),
    Mutant(
        "every epoch of documents has the same order",
        "course_lib/data/document_batch.py",
        "mixed_seed(self._seed, n)",
        "mixed_seed(self._seed, 0)",
        _BATCH,
    ),
    Mutant(
        "a broken archive of reviews ends in a traceback",
        "course_lib/data/corpora/reviews.py",
        "    except BROKEN as error:",
        "    except KeyError as error:",
        _REVIEWS,
    ),
    Mutant(
        "reviews are dealt to folds by their last digit",
        "course_lib/data/corpora/reviews.py",
        r"cv(\d)\d\d_",
        r"cv\d\d(\d)_",
        _REVIEWS,
    ),
    Mutant(
        "the fold that judges is learned from",
        "course_lib/data/corpora/reviews.py",
        "for n, fold in enumerate(folds) if n != test",
        "for n, fold in enumerate(folds)",
        _REVIEWS,
    ),
    Mutant(
        "equal weights over the padding too",
        "course_lab/experiments/two_levels/controls.py",
        "attend(query, keys, annotations, mask=for_keys(mask))",
        "attend(query, keys, annotations)",
        _CONTROLS,
    ),
    Mutant(
        "the bag holds its padding",
        "course_lab/experiments/two_levels/controls.py",
        "zero_padding(self.embed(words), mask).sum(dim=(1, 2))",
        "self.embed(words).sum(dim=(1, 2))",
        _CONTROLS,
    ),
    Mutant(
        "without the word encoder padding is annotated too",
        "course_lab/experiments/two_levels/controls.py",
        "zero_padding(self.layer(vectors), mask)",
        "self.layer(vectors)",
        _CONTROLS,
    ),
    Mutant(
        "the bag on the network's input reads whole sentences",
        "course_lab/experiments/two_levels/reviews.py",
        "tuple(words[:WORDS] for words in kept.sentences)",
        "tuple(words for words in kept.sentences)",
        _FOLDS,
    ),
    Mutant(
        "bars of dots where the axis does not begin at zero",
        "course_lab/figures/still/seed_dots.py",
        "        if low:",
        "        if False:",
        "tests/unit/figures/still/test_seed_dots.py",
    ),
    Mutant(
        "a random other sentence may be the deciding one",
        "course_lab/experiments/two_levels/looks.py",
        "other(len(d.sentences), d.decider)",
        "other(len(d.sentences))",
        _LOOKS,
    ),
    Mutant(
        "the loss is of the likeliest label, not of the true one",
        "course_lab/experiments/two_levels/looks.py",
        "left = probabilities(model, cut, batch)[torch.arange(len(label)), label]",
        "left = probabilities(model, cut, batch).amax(dim=-1)",
        _LOOKS,
    ),
]
