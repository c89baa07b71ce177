"""Tiny Shakespeare: one text and its split."""

from course_lib.data.corpora import shakespeare


def test_the_text_and_its_split(course_data):
    text = shakespeare.load()
    train, valid = shakespeare.split(text)
    assert (len(text), len(train), len(valid)) == (1115394, 1003854, 111540)  # as nanoGPT's
    assert train + valid == text
    assert text.startswith("First Citizen:")
    assert len(set(text)) == 65
