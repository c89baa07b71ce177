"""Firefox over the finished book, through WebDriver BiDi, the W3C's protocol, on a web socket.

Playwright speaks it too, yet asks for a command that Debian's firefox-esr 153 does not know.
The window around the page gets its focus through Marionette, which versions 140 and 153 know.
"""

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import websocket

from tests.book.checks import SETTLE
from tests.book.marionette import Window

PATIENCE = 120
"""Seconds until Firefox or a page counts as hung; a busy machine may take long."""
KEYS = {
    "Tab": "\ue004",
    "Enter": "\ue007",
    "Escape": "\ue00c",
    "ArrowLeft": "\ue012",
    "ArrowRight": "\ue014",
}
_NOWHERE = 9
_PREFERENCES = {
    # Sealed: every address but this machine's own goes to a proxy that is not there.
    "network.proxy.type": 1,
    "network.proxy.http": "127.0.0.1",
    "network.proxy.http_port": _NOWHERE,
    "network.proxy.ssl": "127.0.0.1",
    "network.proxy.ssl_port": _NOWHERE,
    "network.dns.disablePrefetch": True,
    "datareporting.policy.dataSubmissionEnabled": False,
    "marionette.port": 0,  # one that is free
    "layout.css.prefers-color-scheme.content-override": 1,  # light
    "ui.prefersReducedMotion": 1,
}
_EVENTS = ["log.entryAdded", "network.beforeRequestSent", "network.responseCompleted"]
_EVENTS += ["network.fetchError"]
_EVALUATE = """async () => {
    const asked = (%s);
    const answer = typeof asked === 'function' ? await asked(%s) : await asked;
    return JSON.stringify(answer === undefined ? null : answer);
}"""


class FirefoxError(Exception):
    """Firefox did not start, refused a command, or a script failed in the page."""


@contextmanager
def firefox(path: str) -> Iterator["Tab"]:
    """Start it with a profile and a home of its own, which are gone afterwards; one tab."""
    with tempfile.TemporaryDirectory(prefix="course-firefox-") as home:
        profile = Path(home, "profile")
        profile.mkdir()
        lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in _PREFERENCES.items()]
        (profile / "user.js").write_text("\n".join(lines))
        words = [path, "--headless", "--no-remote", "--profile", str(profile)]
        words += ["--remote-debugging-port", "0", "--marionette", "-remote-allow-system-access"]
        with Path(home, "said").open("wb") as said:
            started = subprocess.Popen(
                words, env={**os.environ, "HOME": home}, stdout=said, stderr=said
            )
        try:
            window = Window(_port(profile, started), PATIENCE)
            socket = websocket.create_connection(
                window.bidi, timeout=PATIENCE, suppress_origin=True
            )
            try:
                yield Tab(socket, window)
            finally:
                socket.close()
                window.close()
        finally:
            started.terminate()
            try:
                started.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                started.kill()
                started.wait()


def _port(profile: Path, started: subprocess.Popen) -> int:
    """Where it listens, which it writes into its profile once it does."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and started.poll() is None:
        try:
            return int((profile / "MarionetteActivePort").read_text())
        except (OSError, ValueError):
            time.sleep(0.1)
    raise FirefoxError("Firefox does not listen")


class Tab:
    """A tab, and what the page in it asked for, what failed and what it complained about.

    `visited` holds every page since the start; a page that is only fetched ahead is none.
    """

    def __init__(self, socket: websocket.WebSocket, window: Window) -> None:
        self._socket = socket
        self._window = window
        self._sent = 0
        self.asked: list[str] = []
        self.failed: list[str] = []
        self.complaints: list[str] = []
        self.visited: list[str] = []
        self.send("session.subscribe", events=_EVENTS)
        self._context = self.send("browsingContext.getTree")["contexts"][0]["context"]

    def send(self, method: str, **parameters: object) -> dict:
        """One command, and its answer; what happens meanwhile is noted."""
        self._sent += 1
        command = {"id": self._sent, "method": method, "params": parameters}
        self._socket.send(json.dumps(command))
        while True:
            message = json.loads(self._socket.recv())
            if message["type"] == "event":
                self._note(message["method"], message["params"])
            elif message["id"] == self._sent:
                if message["type"] == "error":
                    raise FirefoxError(f"{method}: {message['message']}")
                return message["result"]

    def _note(self, event: str, told: dict) -> None:
        if event == "log.entryAdded":
            if told["level"] in ("error", "warn"):
                self.complaints.append(told["text"])
            return
        address = told["request"]["url"]
        if event == "network.beforeRequestSent":
            self.asked.append(address)
            if told["navigation"]:
                self.visited.append(address)
        elif event == "network.fetchError" or told["response"]["status"] >= 400:
            self.failed.append(address)

    def open(self, address: str, width: int) -> "Tab":
        """Load a page anew, and wait until it has its fonts and has been laid out."""
        self.resize(width)
        # From an empty page, so that a place in the page that is open is a new page too.
        self._go("about:blank")
        for notes in (self.asked, self.failed, self.complaints):
            notes.clear()
        self._go(address)
        # Else the address bar has the focus, and no key presses a button.
        self._window.run("gBrowser.selectedBrowser.focus()")
        self.settle()
        return self

    def _go(self, address: str) -> None:
        """Asks for a page, and asks it whether it is there: Firefox may forget to tell."""
        self.send("browsingContext.navigate", context=self._context, url=address, wait="none")
        there = "address => document.readyState === 'complete' && location.href === address"
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            # A page that is being left answers with an error.
            with suppress(FirefoxError):
                if self.evaluate(there, address):
                    return
            time.sleep(0.05)
        raise FirefoxError(f"never there: {address}")

    def resize(self, width: int, height: int = 900) -> None:
        size = {"width": width, "height": height}
        self.send("browsingContext.setViewport", context=self._context, viewport=size)

    def settle(self) -> None:
        self.evaluate(SETTLE, 50)

    def evaluate(self, asked: str, argument: object = None) -> object:
        """As in Playwright: what an expression is, or what a function answers to the argument."""
        result = self.send(
            "script.callFunction",
            functionDeclaration=_EVALUATE % (asked, json.dumps(argument)),
            awaitPromise=True,
            target={"context": self._context},
            userActivation=True,
        )
        if result["type"] == "exception":
            raise FirefoxError(result["exceptionDetails"]["text"])
        return json.loads(result["result"]["value"])

    def until(self, asked: str, argument: object = None) -> None:
        """Wait until it holds."""
        end = time.monotonic() + PATIENCE
        while not self.evaluate(asked, argument):
            if time.monotonic() > end:
                raise FirefoxError(f"never so: {asked}")
            time.sleep(0.05)

    def press(self, *keys: str) -> None:
        """Keys by name, letters by themselves."""
        codes = [KEYS.get(key, key) for key in keys]
        actions = [{"type": way, "value": code} for code in codes for way in ("keyDown", "keyUp")]
        self._act({"type": "key", "id": "keys", "actions": actions})

    def click(self, selector: str, number: int = 0) -> None:
        self.drag(self.middle(selector, number))

    def drag(self, start: tuple[float, float], *way: tuple[float, float]) -> None:
        """Press the mouse at a place, move it, and let it go."""
        moves = [
            {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 30}
            for x, y in (start, *way)
        ]
        down, up = ({"type": f"pointer{which}", "button": 0} for which in ("Down", "Up"))
        actions = [moves[0], down, *moves[1:], up]
        self._act({"type": "pointer", "id": "mouse", "actions": actions})

    def _act(self, source: dict) -> None:
        self.send("input.performActions", context=self._context, actions=[source])

    def middle(self, selector: str, number: int = 0) -> tuple[float, float]:
        """Of an element that is brought onto the screen if it is not there."""
        place = self.evaluate(
            """([selector, number]) => {
                const e = document.querySelectorAll(selector)[number];
                let box = e.getBoundingClientRect();
                if (box.top < 0 || box.bottom > innerHeight) {
                    e.scrollIntoView({block: 'center', behavior: 'instant'});
                    box = e.getBoundingClientRect();
                }
                return [box.x + box.width / 2, box.y + box.height / 2];
            }""",
            [selector, number],
        )
        return place[0], place[1]

    def print(self) -> bytes:
        """What comes out of the printer, still in base 64."""
        return self.send("browsingContext.print", context=self._context)["data"].encode()
