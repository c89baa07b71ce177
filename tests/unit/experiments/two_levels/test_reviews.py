"""Reviews: two models that learn from some documents and are judged by others."""

from course_lab.experiments.two_levels import reviews
from course_lib.data.document import Document

FILLER = (("and", "so", "on", "."),)


def toy(count: int, offset: int = 0) -> list[Document]:
    """A film is good where somebody says so, in some sentence."""
    filler = [tuple(line.split()) for line in ("the film runs .", "a plot is .", "people act .")]
    documents = []
    for number in range(offset, offset + count):
        label = number % 2
        lines = list(filler)
        lines.insert(number % 4, ("it", "is", "superb" if label else "dull", "."))
        documents.append(Document(tuple(lines), label))
    return documents


def test_a_bag_learns_which_words_are_for_a_film():
    assert reviews.bag_accuracy(toy(20), toy(8, 100)) == 1.0


def test_the_network_learns_it_too():
    assert reviews.network_accuracy(toy(64), toy(8, 100), epochs=16) == 1.0


def test_a_bag_on_the_networks_input_sees_no_word_that_the_network_does_not_read():
    deaf = [
        Document((("filler",) * 20 + line[-2:],) * 3, d.label)
        for d in toy(20)
        for line in d.sentences
        if line[0] == "it"
    ]
    assert reviews.as_read(deaf[0]).sentences == (("filler",) * 20,) * 3
    middle = [Document((*FILLER * 10, *d.sentences, *FILLER * 10), d.label) for d in toy(20)]
    for documents in (deaf, middle):
        assert reviews.bag_accuracy(documents, documents) == 1.0
        assert reviews.bag_accuracy_as_read(documents, documents) == 0.5
    assert reviews.bag_accuracy_as_read(toy(20), toy(8, 100)) == 1.0
