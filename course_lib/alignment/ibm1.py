"""IBM Model 1 (Brown, Della Pietra, Della Pietra & Mercer 1993, "Model 1"), by EM on whole arrays.

The model writes each target word f independently: choose one of the source words or the empty
word NULL, each with the same chance, then translate it with probability t(f|e). Nothing in it
knows the order of the words.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float64, Int

from course_lib.data.pairs import Link, Pair, Side, sides, words_of

_BLOCK = 1 << 17


@dataclass(frozen=True, eq=False)
class IBMModel1:
    """A fitted model. Make one with `IBMModel1.fit`.

    Attributes:
        table: t(f|e) as `table[e][f]`, only for words that occurred in a sentence pair together.
            NULL is the source word `None`. Each `table[e]` sums to 1.
        log_likelihoods: of all target sentences, before the first iteration and after each.
    """

    table: dict[str | None, dict[str, float]]
    log_likelihoods: tuple[float, ...]

    @classmethod
    def fit(cls, pairs: Iterable[Pair], iterations: int, null: bool = True) -> "IBMModel1":
        """Estimate t(f|e) by expectation maximisation, from uniform probabilities.

        The log-likelihood never falls, and as it is concave in the table, no maximum is a merely
        local one. There may be many tables with the same maximum (Toutanova & Galley 2011).

        Args:
            pairs: source and target words of each pair; plain text is split at white space.
            iterations: how often to go over all pairs; 0 leaves the table uniform.
            null: whether a target word may come from no source word.

        ValueError for no pairs, or an empty sentence.
        """
        corpus = _Corpus.index(pairs, null)
        probability = np.full(len(corpus.pair_source), 1 / len(corpus.target_words))
        log_likelihoods = []
        for _ in range(iterations):
            counts, log_likelihood = corpus.expect(probability)
            log_likelihoods.append(log_likelihood)
            totals = np.bincount(corpus.pair_source, counts)
            probability = counts / totals[corpus.pair_source]
        log_likelihoods.append(corpus.expect(probability)[1])
        return cls(corpus.as_table(probability), tuple(log_likelihoods))

    @property
    def null(self) -> bool:
        """Whether the model has the NULL word."""
        return None in self.table

    def probability(self, target_word: str, source_word: str | None) -> float:
        """t(f|e): how likely `source_word` (None is NULL) becomes `target_word`."""
        return self.table.get(source_word, {}).get(target_word, 0.0)

    def translations(self, source_word: str | None, count: int = 10) -> list[tuple[str, float]]:
        """The most likely translations of a word, the best first, ties by the alphabet."""
        known = self.table.get(source_word, {})
        return sorted(known.items(), key=lambda item: (-item[1], item[0]))[:count]

    def posterior(self, source: Side, target: Side) -> Float64[np.ndarray, "T columns"]:
        """For each target word the probability that each source word wrote it.

        t(f|e) of each source word, divided by their sum: (T, S + 1), NULL in the last column, or
        (T, S) without NULL. A row is all zero where no source word ever met the target word.
        """
        source, target = words_of(source), words_of(target)
        writers = [*source, None] if self.null else source
        rows = [self.table.get(e, {}) for e in writers]
        weights = np.array([[row.get(f, 0.0) for row in rows] for f in target])
        weights = weights.reshape(len(target), len(writers))
        totals = weights.sum(axis=1, keepdims=True)
        return np.divide(weights, totals, out=np.zeros_like(weights), where=totals > 0)

    def align(self, source: Side, target: Side, ties: str = "diagonal") -> set[Link]:
        """Link each target word to its most probable source word unless it is NULL; see `links`."""
        return self.links(self.posterior(source, target), ties)

    def links(
        self, posterior: Float64[np.ndarray, "T columns"], ties: str = "diagonal"
    ) -> set[Link]:
        """The links of a `posterior` of this model.

        Where a word comes twice in the source, Model 1 finds both equally probable. Of such ties
        "diagonal" takes the source word whose relative position is nearest to the target word's,
        "first" the first and "last" the last one. NULL loses every tie.
        """
        if ties not in ("diagonal", "first", "last"):
            raise ValueError(f"want ties 'diagonal', 'first' or 'last'; got {ties!r}")
        words = posterior.shape[1] - self.null
        links = set()
        for j, row in enumerate(posterior):
            best = row.max(initial=0.0)
            # Two sums of the same numbers in another order are a tie too.
            tied = [i for i in range(words) if 0 < best <= row[i] * (1 + 1e-9)]
            if tied:
                links.add((_choose(tied, ties, words, (j + 0.5) / len(posterior)), j))
        return links


def _choose(tied: list[int], ties: str, length: int, position: float) -> int:
    if ties == "diagonal":
        return min(tied, key=lambda i: abs((i + 0.5) / length - position))
    return tied[0] if ties == "first" else tied[-1]


@dataclass(frozen=True, eq=False)
class _Corpus:
    """Sentence pairs as flat arrays.

    A pair type is a source and a target word that occur in one sentence pair. A cell is a target
    token beside one source token (or NULL) of its sentence; the cells of a target token, its row,
    lie together. A block is some rows and their cells: few enough for the processor's cache, which
    makes a pass four times as fast.
    """

    source_words: list[str | None]
    target_words: list[str]
    pair_source: Int[np.ndarray, " types"]
    pair_target: Int[np.ndarray, " types"]
    cell_type: Int[np.ndarray, " cells"]
    row_start: Int[np.ndarray, " rows"]
    row_length: Int[np.ndarray, " rows"]
    blocks: list[tuple[slice, slice]]

    @classmethod
    def index(cls, pairs: Iterable[Pair], null: bool) -> "_Corpus":
        source_id: dict[str | None, int] = {None: 0} if null else {}
        target_id: dict[str, int] = {}
        sources, targets, lengths = [], [], []
        for number, pair in enumerate(pairs):
            source, target = map(words_of, sides(pair))
            if not source or not target:
                raise ValueError(f"pair {number}: want words on both sides; got an empty sentence")
            writers = [None, *source] if null else source
            sources += [source_id.setdefault(word, len(source_id)) for word in writers]
            targets += [target_id.setdefault(word, len(target_id)) for word in target]
            lengths.append((len(writers), len(target)))
        writers_of, rows_of = np.array(lengths).T
        row_length = np.repeat(writers_of, rows_of)
        row_start = np.cumsum(row_length) - row_length
        first = np.repeat(np.cumsum(writers_of) - writers_of, rows_of)
        # Beside each target token the source tokens of its sentence, from the first one on.
        position = np.arange(row_length.sum()) + np.repeat(first - row_start, row_length)
        cells = np.array(sources)[position] * len(target_id)
        cells += np.repeat(np.array(targets), row_length)
        types, cell_type = _numbered(cells, len(source_id) * len(target_id))
        return cls(
            list(source_id),
            list(target_id),
            types // len(target_id),
            types % len(target_id),
            cell_type,
            row_start,
            row_length,
            _blocks(row_start, row_length),
        )

    def expect(
        self, probability: Float64[np.ndarray, " types"]
    ) -> tuple[Float64[np.ndarray, " types"], float]:
        """Expected counts, and the log-likelihood given the lengths (epsilon = 1 in the paper)."""
        counts, log_likelihood = np.zeros(len(probability)), 0.0
        for rows, cells in self.blocks:
            types = self.cell_type[cells]
            weight = probability[types]
            total = np.add.reduceat(weight, self.row_start[rows] - cells.start)
            weight /= np.repeat(total, self.row_length[rows])
            counts += np.bincount(types, weight, minlength=len(counts))
            log_likelihood += float(np.log(total / self.row_length[rows]).sum())
        return counts, log_likelihood

    def as_table(
        self, probability: Float64[np.ndarray, " types"]
    ) -> dict[str | None, dict[str, float]]:
        table: dict[str | None, dict[str, float]] = {word: {} for word in self.source_words}
        for e, f, t in zip(
            self.pair_source.tolist(), self.pair_target.tolist(), probability.tolist(), strict=True
        ):
            table[self.source_words[e]][self.target_words[f]] = t
        return table


def _blocks(
    row_start: Int[np.ndarray, " rows"], row_length: Int[np.ndarray, " rows"]
) -> list[tuple[slice, slice]]:
    """Whole rows in their order, each block up to about `_BLOCK` cells."""
    ends = row_start + row_length
    blocks, first = [], 0
    while first < len(ends):
        start = int(row_start[first])
        # A row that is longer than a block makes one of its own.
        after = max(first + 1, int(np.searchsorted(ends, start + _BLOCK, side="right")))
        blocks.append((slice(first, after), slice(start, int(ends[after - 1]))))
        first = after
    return blocks


def _numbered(
    cells: Int[np.ndarray, " cells"], conceivable: int
) -> tuple[Int[np.ndarray, " types"], Int[np.ndarray, " cells"]]:
    """The different cells, rising, and for each cell which of them it is; as `np.unique` does.

    With few words, looking up in a table of all conceivable pairs is 5 times as fast as sorting.
    """
    if conceivable > len(cells):
        return np.unique(cells, return_inverse=True)
    met = np.zeros(conceivable, dtype=bool)
    met[cells] = True
    return np.flatnonzero(met), (np.cumsum(met) - 1)[cells]
