"""Why a download failed, in the words of whoever has to mend it.

`requests` wraps what happened several times over, and its outermost error is nearly always a
`ConnectionError`, whether the network is off, a name is not known, or a proxy refuses.
"""

import errno
import os
import socket
import ssl
from collections.abc import Iterator
from http import HTTPStatus
from urllib.parse import urlsplit

import requests
import urllib3.exceptions as inner

OFFLINE = "no connection"
"""How the reason begins where the machine itself has no way out."""

_AUTHORITIES = ("REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE")
_SAYS = {
    401: "it wants a password",
    403: "it refuses this",
    404: "no such file there",
    407: "the proxy wants a password",
    429: "too many requests; try later",
    451: "withheld for legal reasons",
}


def reason(error: BaseException, address: str) -> str:
    """One phrase for what `requests` raised when it asked for an address."""
    host = urlsplit(address).hostname or address
    causes = list(_causes(error))
    for cause in causes:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return (
                f"the certificate of {host} is not trusted: {cause.verify_message}; behind a "
                f"proxy that opens connections set {_AUTHORITIES[0]} to its certificate"
            )
    if isinstance(error, requests.exceptions.ProxyError):
        return f"the proxy does not let it through: {_innermost(causes)}"
    for cause in causes:
        if isinstance(cause, ssl.SSLError):
            return f"no encrypted connection to {host}: {cause.reason or cause}"
    if isinstance(error, requests.HTTPError) and error.response is not None:
        return f"HTTP status {_status(error.response.status_code)}"
    if isinstance(error, requests.Timeout) or _any(causes, (TimeoutError, inner.ReadTimeoutError)):
        return "no answer in time"
    if _any(causes, (socket.gaierror, inner.NameResolutionError)):
        return f"{OFFLINE}: the name {host} is not found"
    if isinstance(
        error, requests.exceptions.ChunkedEncodingError | requests.exceptions.ContentDecodingError
    ):
        return f"broken off: {_innermost(causes)}"
    numbers = {cause.errno for cause in causes if isinstance(cause, OSError)}
    if errno.ECONNREFUSED in numbers:
        return f"{OFFLINE}: refused by {host}"
    if numbers & {errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN}:
        return f"{OFFLINE}: there is no way to {host}"
    if isinstance(error, requests.TooManyRedirects):
        return "it is passed on from address to address without end"
    return f"{type(error).__name__}: {_innermost(causes)}"


def wrong_content(head: bytes, got: int, wanted: int) -> str:
    """One phrase for a file that came and has another hash than it should.

    Args:
        head: its first bytes.
        got: its length.
        wanted: the length that it should have.
    """
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<!doctype html", b"<html", b"<head", b"<script", b"<meta")):
        return "a web page came in its place, such as a log-in page; open the address in a browser"
    if got < wanted:
        return f"broken off: {got:,} of {wanted:,} bytes came"
    return "corrupted: wrong SHA-256"


def bad_bundle() -> str | None:
    """What is wrong with the list of trusted authorities that the environment names, if anything.

    `requests` raises a bare `OSError` for it, which looks like a full or read-only disk.
    """
    for name in _AUTHORITIES:
        path = os.environ.get(name)
        if path and not os.path.exists(path):
            return f"{name}={path} names no file; set it to a file of certificates, or unset it"
    return None


def _causes(error: BaseException) -> Iterator[BaseException]:
    """An error and all that it was raised for, the outermost first."""
    seen, open_ones = set(), [error]
    while open_ones:
        cause = open_ones.pop(0)
        if id(cause) in seen:
            continue
        seen.add(id(cause))
        yield cause
        inside = [
            *cause.args,
            getattr(cause, "reason", None),
            getattr(cause, "original_error", None),
        ]
        inside += [cause.__cause__, cause.__context__]
        open_ones += [found for found in inside if isinstance(found, BaseException)]


def _any(causes: list[BaseException], kinds: tuple[type[BaseException], ...]) -> bool:
    return any(isinstance(cause, kinds) for cause in causes)


def _innermost(causes: list[BaseException]) -> str:
    """What the system or the proxy itself said, without the names of objects around it."""
    texts = [
        cause.strerror if isinstance(cause, OSError) and cause.strerror else str(cause)
        for cause in causes
    ]
    plain = [text for text in texts if text and " object at 0x" not in text]
    return min(plain, key=len) if plain else type(causes[0]).__name__


def _status(code: int) -> str:
    try:
        phrase = HTTPStatus(code).phrase
    except ValueError:
        phrase = ""
    says = _SAYS.get(code) or ("the server is in trouble; try later" if code >= 500 else phrase)
    return f"{code} ({says})" if says else str(code)
