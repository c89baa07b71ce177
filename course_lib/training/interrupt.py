"""Ctrl-C without torn weights: the signal waits until the step in hand is done."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Interrupt:
    """Within this context the first Ctrl-C only sets `requested`; the second one raises.

    An update interrupted half way would leave some weights new and some old. Where nothing can
    tear, `allowed` lets the first Ctrl-C raise at once. In a thread other than the main one,
    where Python never delivers signals, nothing is installed.
    """

    def __init__(self) -> None:
        self.requested = False
        self._at_once = False
        self._previous = None

    def __enter__(self) -> "Interrupt":
        ignored = signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        if threading.current_thread() is threading.main_thread() and not ignored:
            self._previous = signal.signal(signal.SIGINT, self._receive)
        return self

    def __exit__(self, *_: object) -> None:
        if self._previous is not None:
            signal.signal(signal.SIGINT, self._previous)

    @contextmanager
    def allowed(self) -> Iterator[None]:
        """Within this block Ctrl-C raises KeyboardInterrupt at once."""
        self._at_once = True
        try:
            yield
        finally:
            self._at_once = False

    def _receive(self, number: int, frame: FrameType | None) -> None:
        again, self.requested = self.requested, True
        if again or self._at_once:
            raise KeyboardInterrupt
