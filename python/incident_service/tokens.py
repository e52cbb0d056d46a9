"""Access tokens: the client-credentials grant with one token for all threads, or the caller's own tokens."""

from __future__ import annotations

import base64
import binascii
import threading
import time
from dataclasses import dataclass, field
from typing import Callable, Optional, Tuple, Union

#: Called before every request with None, and again after a 401 with the rejected token.
TokenProvider = Callable[[Optional[str]], str]


@dataclass(frozen=True)
class ClientCredentials:
    client_id: str
    client_secret: str = field(repr=False)


@dataclass(frozen=True)
class ApiKey:
    """A service account's key, as shown once when it was created: `itsm_…`."""

    key: str = field(repr=False)


Credentials = Union[ApiKey, ClientCredentials, TokenProvider]

#: Requests a token: returns it and the seconds for which it is valid.
RequestToken = Callable[[ClientCredentials], Tuple[str, float]]

#: A token is renewed a minute before it expires, or when a tenth of a short lifetime is left.
_max_margin_seconds = 60.0


class TokenSource:
    def __init__(self, credentials: Credentials, request_token: RequestToken) -> None:
        self._provider = credentials if callable(credentials) else None
        self._credentials = None if callable(credentials) else _parse_credentials(credentials)
        self._request_token = request_token
        self._lock = threading.Lock()
        self._token = ""
        self._renew_at = 0.0

    def current(self, rejected: Optional[str] = None) -> str:
        """A token other than the rejected one. Concurrent calls share one token request."""
        if self._provider:
            return self._provider(rejected)
        with self._lock:
            if not self._token or self._token == rejected or time.monotonic() >= self._renew_at:
                assert self._credentials
                self._token, seconds = self._request_token(self._credentials)
                self._renew_at = time.monotonic() + seconds - min(_max_margin_seconds, seconds / 10)
            return self._token


def _parse_credentials(credentials: Union[ApiKey, ClientCredentials]) -> ClientCredentials:
    """An API key is an app client in one word: the prefix, then base64url of `client_id:client_secret`."""
    if isinstance(credentials, ClientCredentials):
        if not credentials.client_id or not credentials.client_secret:
            raise ValueError("client_id or client_secret is not set. Check the environment variable that it comes from.")
        return credentials
    if not credentials.key:
        raise ValueError("The API key is not set. Check the environment variable that it comes from.")
    prefix, encoded = credentials.key[:5], credentials.key[5:]
    try:
        pair = base64.b64decode(encoded + "=" * (-len(encoded) % 4), altchars=b"-_", validate=True).decode()
    except (binascii.Error, ValueError):
        pair = ""
    client_id, _, client_secret = pair.partition(":")
    if prefix != "itsm_" or not client_id or not client_secret:
        raise ValueError("The API key is not one of this service (itsm_…).")
    return ClientCredentials(client_id, client_secret)
