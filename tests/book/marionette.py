"""Firefox's own window, around the page: Marionette, the protocol that geckodriver speaks too.

A message is its length, a colon and JSON: [0, number, command, parameters], answered by
[1, number, error, result]. BiDi reaches the window as well, but only in Firefox 142 and later.
"""

import json
import socket


class MarionetteError(Exception):
    """Firefox refused a command."""


class Window:
    """A session, which BiDi shares, and scripts that run in Firefox's window.

    Attributes:
        bidi: the address at which the same session is spoken to in BiDi.
    """

    def __init__(self, port: int, patience: float) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=patience)
        self._read = self._socket.makefile("rb")
        self._sent = 0
        self._receive()  # it introduces itself
        session = self._send("WebDriver:NewSession", webSocketUrl=True)
        self.bidi: str = session["capabilities"]["webSocketUrl"]
        self._send("Marionette:SetContext", value="chrome")

    def run(self, script: str) -> object:
        """What the script returns."""
        return self._send("WebDriver:ExecuteScript", script=script, args=[])["value"]

    def close(self) -> None:
        self._read.close()
        self._socket.close()

    def _send(self, command: str, **parameters: object) -> dict:
        self._sent += 1
        message = json.dumps([0, self._sent, command, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _, number, error, result = self._receive()
        assert number == self._sent
        if error:
            raise MarionetteError(f"{command}: {error['message']}")
        return result

    def _receive(self) -> list:
        size = b""
        while (byte := self._read.read(1)) != b":":
            if not byte:
                raise MarionetteError("Firefox is gone")
            size += byte
        return json.loads(self._read.read(int(size)))
