"""What tests of experiments share."""

import inspect
from collections.abc import Callable

import pytest


@pytest.fixture
def unchecked(monkeypatch) -> Callable[..., None]:
    """Called with an owner and names of its functions: their arguments are not checked.

    For functions of words that are called a million times: the check of shapes, which finds no
    tensor there, takes twenty times as long as the function.
    """

    def take_off(owner: object, *names: str) -> None:
        for name in names:
            monkeypatch.setattr(owner, name, inspect.unwrap(getattr(owner, name)))

    return take_off
