"""What every call has in common: tokens, retries, idempotency keys, pages and problems. operations.py has the calls."""

from __future__ import annotations

import random
import time
import uuid
from dataclasses import dataclass, field
from datetime import datetime, timezone
from itertools import islice
from typing import Any, Callable, Dict, Generic, Iterator, List, Mapping, Optional, Sequence, Tuple, TypeVar
from urllib.parse import quote

import httpx

from .problems import ConnectionProblem, ServiceProblem, to_problem
from .tokens import ClientCredentials, Credentials, TokenSource
from .types import Job

Item = TypeVar("Item")


@dataclass(frozen=True)
class Retry:
    """How often a request is retried, and how long it waits in between."""

    #: Further attempts after the first; 0 turns retries off.
    retries: int = 3
    base_delay_seconds: float = 0.25
    #: If the server requests a longer delay, the client does not retry and the caller decides.
    max_delay_seconds: float = 30


@dataclass(frozen=True)
class CallOptions:
    """Options of one call, in place of those of the client."""

    timeout_seconds: Optional[float] = None
    retries: Optional[int] = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class RateLimit:
    limit: int
    remaining: int
    resets_at: Optional[datetime]


@dataclass(frozen=True)
class Response:
    """What a response has in addition to its data."""

    status: int
    headers: Mapping[str, str]

    @property
    def etag(self) -> Optional[str]:
        return self.headers.get("etag")

    @property
    def request_id(self) -> Optional[str]:
        return self.headers.get("x-request-id")

    @property
    def rate_limit(self) -> Optional[RateLimit]:
        names = ("x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset")
        limit, remaining, reset = (self.headers.get(name, "") for name in names)
        if not limit.isdigit() or not remaining.isdigit():
            return None
        resets_at = datetime.fromtimestamp(int(reset), timezone.utc) if reset.isdigit() else None
        return RateLimit(int(limit), int(remaining), resets_at)


class _Result(Dict[str, Any]):
    response: Response


def get_response(result: Mapping[str, Any]) -> Response:
    """The status, ETag and rate limit that came with a result of the client: `get_response(incident).etag`."""
    if not isinstance(result, _Result):
        raise TypeError("Only a result of the client has a response.")
    return result.response


class Page(Generic[Item]):
    """One page of a list. Iterating over it reads all further pages."""

    def __init__(self, body: Mapping[str, Any], read_next: Callable[[Mapping[str, Any]], Page[Item]]) -> None:
        #: The response as it is, with fields of this list only, such as `unread` of notifications.
        self.body = body
        self.data: List[Item] = body["data"]
        self._read_next = read_next

    @property
    def next_cursor(self) -> Optional[str]:
        return self.body.get("next_cursor")

    @property
    def total(self) -> Optional[int]:
        return self.body.get("total")

    def __iter__(self) -> Iterator[Item]:
        page, seen = self, set()
        while True:
            yield from page.data
            following = _find_next(page.body)
            if following is None:
                return
            # A cursor that is returned twice would never end.
            position = str(following)
            if position in seen:
                raise RuntimeError(f"The service returned {position} twice.")
            seen.add(position)
            page = self._read_next(following)

    def to_list(self, max_items: int = 10_000) -> List[Item]:
        """The first `max_items` records of the list."""
        return list(islice(self, max_items))


def _find_next(body: Mapping[str, Any]) -> Optional[Dict[str, Any]]:
    """The query of the next page. A filtered page of the event feed can be empty before the end of the feed."""
    if "next_before" in body:
        return {"before": body["next_before"]}
    if "next_after" in body:
        return {"after": body["next_after"]} if body["next_after"] < body.get("latest", 0) else None
    return {"cursor": body["next_cursor"]} if "next_cursor" in body else None


class ServiceCore:
    #: The path of the API below its address.
    api_root: str

    def __init__(
        self,
        base_url: str,
        credentials: Credentials,
        *,
        auth_url: Optional[str] = None,
        timeout_seconds: float = 30,
        retry: Retry = Retry(),
        http_client: Optional[httpx.Client] = None,
    ) -> None:
        """`base_url` is `base_url` in credentials.json or `ApiUrl` of the stack, `auth_url` is `AuthUrl` of the stack.
        `timeout_seconds` limits connecting and each read. `http_client` adds a proxy, headers or logs to the requests."""
        self._base_url = _parse_address(base_url, self.api_root, "base_url")
        self._auth_url = _parse_address(auth_url, self.api_root, "auth_url") if auth_url else self._base_url
        self._timeout_seconds = timeout_seconds
        self._retry = retry
        self._http = http_client or httpx.Client()
        self._tokens = TokenSource(credentials, self._request_token)
        self._sleep = time.sleep

    def close(self) -> None:
        self._http.close()

    def __enter__(self: Core) -> Core:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def wait_for_job(self, id: str, *, timeout_seconds: float = 600) -> Job:
        """Waits until the bulk job has processed all records. Check `status` and `results` for records that failed."""
        deadline = time.monotonic() + timeout_seconds
        poll_seconds = 0.2
        while True:
            job: Job = self._call("GET", f"/jobs/{segment(id)}")
            if job["finished_at"] is not None:
                return job
            if time.monotonic() + poll_seconds > deadline:
                detail = f"{id} processed {job['processed']} of {job['total']} records within {timeout_seconds} s."
                raise ConnectionProblem(0, "timeout", "The job is not finished", detail)
            self._sleep(poll_seconds)
            poll_seconds = min(poll_seconds * 1.5, 5)

    def _page(self, path: str, query: Mapping[str, Any], options: Optional[CallOptions]) -> Page[Any]:
        body = self._call("GET", path, query=query, options=options)
        return Page(body, lambda following: self._page(path, {**query, **following}, options))

    def _call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] = {},
        headers: Mapping[str, Optional[str]] = {},
        body: Any = None,
        options: Optional[CallOptions] = None,
    ) -> Any:
        options = options or CallOptions()
        sent = {name.lower(): value for name, value in headers.items() if value is not None}
        if method == "POST" and "Idempotency-Key" in headers:
            sent.setdefault("idempotency-key", uuid.uuid4().hex)
        request = self._http.build_request(
            method,
            f"{self._base_url}{self.api_root}{path}",
            params=_to_params(query),
            headers={"accept": "application/json, application/problem+json", **options.headers, **sent},
            json=body,
            timeout=options.timeout_seconds or self._timeout_seconds,
        )
        is_idempotent = _is_idempotent(method, body) or "idempotency-key" in sent
        retries = self._retry.retries if options.retries is None else options.retries
        return _read(self._send_with_retries(lambda: self._send_with_token(request), is_idempotent, retries))

    def _send_with_token(self, request: httpx.Request) -> httpx.Response:
        """A rejected token is replaced once: it may have been revoked, or the clocks may differ."""
        token = self._tokens.current()
        response = self._send(request, token)
        if response.status_code == 401:
            another = self._tokens.current(token)
            response = response if another == token else self._send(request, another)
        if response.is_success or response.status_code == 304:
            return response
        raise to_problem(response.status_code, response.headers, response.text)

    def _send(self, request: httpx.Request, token: Optional[str] = None) -> httpx.Response:
        if token is not None:
            request.headers["authorization"] = f"Bearer {token}"
        try:
            return self._http.send(request, follow_redirects=False)
        except httpx.TimeoutException as error:
            detail = f"{request.method} {request.url} got no response in time: {error!r}"
            raise ConnectionProblem(0, "timeout", "The service did not respond in time", detail) from error
        except httpx.HTTPError as error:
            detail = f"{request.method} {request.url} failed without a response: {error!r}"
            raise ConnectionProblem(0, "network_error", "The service is not reachable", detail) from error

    def _send_with_retries(
        self, attempt: Callable[[], httpx.Response], is_idempotent: bool, retries: int
    ) -> httpx.Response:
        failures = 0
        while True:
            try:
                return attempt()
            except ServiceProblem as problem:
                delay_seconds = self._compute_delay(failures, problem.retry_after_seconds)
                is_final = failures >= retries or delay_seconds > self._retry.max_delay_seconds
                if is_final or not _is_retryable(problem, is_idempotent):
                    raise
            self._sleep(delay_seconds)
            failures += 1

    def _compute_delay(self, failures: int, retry_after_seconds: Optional[int]) -> float:
        """Not earlier than `Retry-After`, with full jitter so that callers do not retry at the same time."""
        base_seconds = self._retry.base_delay_seconds
        if retry_after_seconds is not None:
            return retry_after_seconds + random.random() * base_seconds
        return random.random() * min(base_seconds * float(2**failures), self._retry.max_delay_seconds)

    def _request_token(self, credentials: ClientCredentials) -> Tuple[str, float]:
        form = {
            "grant_type": "client_credentials",
            "client_id": credentials.client_id,
            "client_secret": credentials.client_secret,
        }

        def attempt() -> httpx.Response:
            url = f"{self._auth_url}/oauth2/token"
            response = self._send(self._http.build_request("POST", url, data=form, timeout=self._timeout_seconds))
            if response.status_code != 200:
                raise to_problem(response.status_code, response.headers, response.text)
            return response

        issued = _read(self._send_with_retries(attempt, True, self._retry.retries))
        return issued["access_token"], issued.get("expires_in", 3600)


Core = TypeVar("Core", bound=ServiceCore)


def segment(value: str) -> str:
    """One segment of a path. Rejects values that would change the path to that of another operation."""
    if not isinstance(value, str) or value in ("", ".", ".."):
        raise ValueError(f"A path parameter needs a value, not {value!r}.")
    return quote(value, safe="")


def _read(response: httpx.Response) -> Any:
    if response.status_code == 304:
        detail = "The record has the ETag of if_none_match."
        raise ServiceProblem(304, "not_modified", "The record has not changed", detail)
    if not response.content:
        return None
    if response.headers.get("content-type", "").startswith("text/calendar"):
        return response.text
    try:
        data = response.json()
    except ValueError as error:
        detail = f"The response could not be parsed: {error}"
        request_id = response.headers.get("x-request-id")
        status = response.status_code
        raise ServiceProblem(status, "unexpected_response", "Unexpected response", detail, request_id=request_id) from error
    if not isinstance(data, dict):
        return data
    result = _Result(data)
    result.response = Response(response.status_code, response.headers)
    return result


def _to_params(query: Mapping[str, Any]) -> Dict[str, str]:
    """The service expects lists as comma-separated values."""
    return {name: _to_text(value) for name, value in query.items() if value is not None}


def _to_text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(value) if isinstance(value, Sequence) and not isinstance(value, str) else str(value)


def _is_idempotent(method: str, body: Any) -> bool:
    """An update sets the same values again. Only its work note would be added twice."""
    return method == "GET" or (method in ("PATCH", "PUT") and "work_note" not in (body or {}))


def _is_retryable(problem: ServiceProblem, is_idempotent: bool) -> bool:
    """A request that was rejected with 429 was not processed, so every request may be retried. A key is in flight while the
    first attempt, whose connection broke, still runs."""
    if problem.status == 429:
        return True
    return is_idempotent and (
        problem.status in (502, 503, 504) or problem.code in ("network_error", "idempotency_key_in_flight")
    )


def _parse_address(text: str, api_root: str, name: str) -> str:
    """Also accepts the address of the API itself, which is what a deployment prints."""
    if not text or not text.startswith(("http://", "https://")):
        raise ValueError(f"{name} must be an http or https address, not {text!r}.")
    address = text.rstrip("/")
    suffixes = (api_root, api_root.rpartition("/")[0], f"/{api_root.split('/')[1]}")
    return next((address[: -len(one)] for one in suffixes if address.endswith(one)), address)
