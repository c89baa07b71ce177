"""Who makes each claim that the course tests, and in which words.

The chapters do not import this module, so a changed quotation makes no chapter stale.
"""

from typing import NamedTuple

UNKNOWN = "author not found"


class Source(NamedTuple):
    """A text that makes a claim.

    Attributes:
        title: as its authors gave it.
        author: of a paper the first one and the year; "" where none could be found.
        link: where to read it; "" where no public address could be found.
    """

    title: str
    author: str
    link: str


SOURCES: dict[str, Source] = {
    "000": Source(
        "Attention is Viral!",
        "Wei, in the blog N+3/4, 2019",
        "https://github.com/weiddeng/blog/blob/259c5335b2231542d165c0abcf20943bfbfbe052/"
        "_posts/2019-06-29-attention-is-viral.markdown",
    ),
    "001": Source("Attention: in search of efficient and performant seq2seq encoder", "", ""),
    "002": Source("All About Attention and Transformer", "", ""),
    "003": Source("Notes: Attention! Transformers!", "", ""),
    "004": Source("Attention", "", ""),
    "bahdanau": Source(
        "Neural Machine Translation by Jointly Learning to Align and Translate",
        "Bahdanau et al., 2015",
        "https://arxiv.org/abs/1409.0473",
    ),
    "cho": Source(
        "On the Properties of Neural Machine Translation",
        "Cho et al., 2014",
        "https://arxiv.org/abs/1409.1259",
    ),
    "d2l": Source(
        "Dive into Deep Learning, Natural Language Inference: Using Attention",
        "Zhang et al., 2023",
        "https://d2l.ai/chapter_natural-language-processing-applications/"
        "natural-language-inference-attention.html",
    ),
    "jelassi": Source(
        "Repeat After Me: Transformers are Better than State Space Models at Copying",
        "Jelassi et al., 2024",
        "https://arxiv.org/abs/2402.01032",
    ),
    "katharopoulos": Source(
        "Transformers are RNNs: Fast Autoregressive Transformers with Linear Attention",
        "Katharopoulos et al., 2020",
        "https://arxiv.org/abs/2006.16236",
    ),
    "luong": Source(
        "Effective Approaches to Attention-based Neural Machine Translation",
        "Luong et al., 2015",
        "https://arxiv.org/abs/1508.04025",
    ),
    "parikh": Source(
        "A Decomposable Attention Model for Natural Language Inference",
        "Parikh et al., 2016",
        "https://arxiv.org/abs/1606.01933",
    ),
    "schlag": Source(
        "Linear Transformers Are Secretly Fast Weight Programmers",
        "Schlag et al., 2021",
        "https://arxiv.org/abs/2102.11174",
    ),
    "vaswani": Source(
        "Attention Is All You Need", "Vaswani et al., 2017", "https://arxiv.org/abs/1706.03762"
    ),
    "yang": Source(
        "Hierarchical Attention Networks for Document Classification",
        "Yang et al., 2016",
        "https://aclanthology.org/N16-1174/",
    ),
}
"""The numbers are the five sets of notes that the course grew from: 002 is of 2021, 003 of 2020,
001 is an undated draft, and 004 are undated notes of a lecture."""

SAID: dict[str, dict[str, str]] = {
    "C01": {
        "cho": "degrades rapidly as the length of the sentence",
        "000": "When input sequence is long, quality degrades",
        "003": "Compressing all the source sentence information into a single vector",
        "004": "the difficulty of training a model capable of encoding a long sequence",
    },
    "C02": {
        "000": "Theoretically GRU/LSTM mitigates the problem but practically they still come short",
        "004": "challenges still remain when it comes to long-term dependencies",
    },
    "C03": {
        "001": "gradient problems caused by non-linearity of sigmoid",
        "002": "the gradient is differentiated too many times",
        "004": "gradually more difficult to learn relationships as the distance",
    },
    "C04": {
        "vaswani": "precludes parallelization within training examples",
        "001": "hence concurrency is impossible",
        "002": "we can not utilize the parallel computing",
        "003": "without using recurrence, and thus, allowing parallelization",
    },
    "C05": {"004": "where the same weights are used at each layer"},
    "C06": {
        "002": "let the cell decide whether to remember or forget",
        "004": "does resolve the issue of vanishing gradients",
    },
    "C07": {"004": "they have been pre-trained in exactly this way"},
    "C08": {
        "bahdanau": "no performance deterioration even with sentences of length 50 or more",
        "000": "It mitigates a pain point",
        "003": "doesn't want to reduce all the information in a single vector",
    },
    "C09": {
        "bahdanau": "(soft-)alignments found by the model agree well with our intuition",
        "003": "able to align an input sequence to an output sequence",
        "004": "soft alignments",
    },
    "C10": {
        "000": "the query hitting on each key, value pair",
        "003": "With this, we can write Bahdanau's attention",
    },
    "C11": {
        "luong": "dot works well for the global attention",
        "004": "we take the dot product between our output state",
    },
    "C12": {
        "luong": "which is expensive and can potentially render it impractical",
        "003": "Attending to all source words is computationally expensive",
    },
    "C13": {
        "luong": "the hard attention model is non-differentiable",
        "003": "similar to local attention, but more complicated",
    },
    "C14": {"002": "as the dimension goes up, the average of R increases"},
    "C15": {
        "vaswani": "regions where it has extremely small gradients",
        "001": "the softmax function may have an extremely small gradient",
    },
    "C18": {"000": "Key, value pairs can be infinite"},
    "C21": {"000": "self-attention like LSTM, requires one pass of the sequence"},
    "C22": {
        "parikh": "almost an order of magnitude fewer parameters",
        "004": "as well as models an order of magnitude more weights",
    },
    "C23": {"004": "Can we relate this model to the ‘bag of vectors’ model"},
    "C24": {"d2l": "a more desirable linear complexity than quadratic complexity"},
    "C25": {
        "001": "concat of multiple attention + linear mapping back to dim",
        "003": "Each attention layer is computed in parallel",
    },
    "C26": {
        "vaswani": "they use different parameters from layer to layer",
        "004": "the weights for the feed-forward network are shared",
    },
    "C27": {
        "vaswani": "in order for the model to make use of the order of the sequence",
        "000": "Since keys have order, mask can apply",
        "001": "positional encoding",
    },
    "C28": {
        "000": "Since keys have order, mask can apply",
        "001": "masked attention to avoid observing steps later",
    },
    "C29": {"002": "trying to learn those relations in an implicit way"},
    "C30": {
        "vaswani": "attention heads clearly learn to perform different tasks",
        "004": "manually [inspect] the attention heads",
    },
    "C31": {
        "001": "Query from outputs and KV from inputs",
        "003": "with queries from the decoder and keys and values from the encoder",
    },
    "C32": {"001": "decode process: auto-regressive generation"},
    "C33": {"yang": "which words and sentences contribute to the classification decision"},
    "C34": {"katharopoulos": "Transformers are RNNs"},
    "C35": {"schlag": "a memory capacity limitation of recent linearised softmax attention"},
    "C36": {"schlag": "can more easily learn to correct the current mapping from keys to values"},
    "C37": {"jelassi": "fundamentally limited by their fixed-size latent state"},
}
"""A few words of each source that makes a claim, as they stand there."""
