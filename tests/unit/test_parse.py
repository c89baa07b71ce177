"""What stands in a JSON file that anybody may have changed is checked before it is used."""

from dataclasses import dataclass

import pytest

from course_lib.parse import fill, parse_json


@dataclass
class Settings:
    name: str
    width: int = 3
    rate: float = 0.5
    limit: float | None = None
    seed: int | None = None
    exact: bool = False


def test_whole_settings_are_filled_and_the_others_have_their_defaults():
    assert fill(Settings, {"name": "x", "rate": 2, "seed": 4}) == Settings("x", 3, 2.0, None, 4)
    assert type(fill(Settings, {"name": "x", "rate": 2}).rate) is float


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([], "wanted Settings as a dictionary, got list"),
        ({}, "name is missing"),
        ({"name": "x", "more": 1}, "unknown 'more'"),
        ({"name": 3}, "name must be a text, got '3'"),
        ({"name": "x", "width": 1.0}, "width must be a whole number, got '1.0'"),
        ({"name": "x", "width": True}, "width must be a whole number, got 'True'"),
        ({"name": "x", "rate": None}, "rate must be a number, got 'None'"),
        ({"name": "x", "rate": float("nan")}, "rate must be a number, got 'nan'"),
        ({"name": "x", "rate": 10**400}, "rate must be a number, got '1000"),
        ({"name": "x", "limit": "1"}, "limit must be a number or null, got '1'"),
        ({"name": "x", "seed": 1.5}, "seed must be a whole number or null, got '1.5'"),
        ({"name": "x", "exact": 1}, "exact must be true or false, got '1'"),
    ],
)
def test_what_does_not_fit_is_named(values, said):
    with pytest.raises(ValueError) as caught:
        fill(Settings, values)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "content", ["", "{", "[" * 100_000, b"\xff", "1" * 10_000, b"[" * 100_000], ids=range(6)
)
def test_what_is_no_json_is_a_value_error(content):
    with pytest.raises(ValueError):
        parse_json(content)


def test_bytes_are_utf_8():
    assert parse_json('{"a": "ß"}'.encode()) == {"a": "ß"}
