"""Retries, tokens and signatures, without a service."""

import base64
import hashlib
import hmac
import json
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List

import httpx
import pytest

import incident_service as itsm

Respond = Callable[[httpx.Request], httpx.Response]


def connect(respond: Respond, *, retries: int = 3) -> Any:
    """A client whose requests `respond` handles. `waits` has the seconds between attempts."""
    http = httpx.Client(transport=httpx.MockTransport(respond))
    client = itsm.Client("http://test", lambda rejected: "token", retry=itsm.Retry(retries=retries), http_client=http)
    waits: List[float] = []
    client._sleep = waits.append  # type: ignore[assignment]
    return client, waits


def fail_then_succeed(failures: List[httpx.Response], seen: List[httpx.Request]) -> Respond:
    def respond(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return failures.pop(0) if failures else httpx.Response(200, json={"id": "INC1"})

    return respond


def test_waits_for_retry_after_and_repeats_a_creation_with_the_same_key() -> None:
    seen: List[httpx.Request] = []
    failures = [httpx.Response(503, headers={"retry-after": "7"}), httpx.Response(429, headers={"retry-after": "2"})]
    client, waits = connect(fail_then_succeed(failures, seen))
    assert client.create_incident({"short_description": "x"}) == {"id": "INC1"}
    assert 7 <= waits[0] < 8 and 2 <= waits[1] < 3
    assert len({request.headers["idempotency-key"] for request in seen}) == 1


def test_ends_after_the_last_attempt_and_when_the_service_wants_a_longer_wait() -> None:
    seen: List[httpx.Request] = []
    client, waits = connect(fail_then_succeed([httpx.Response(503) for _ in range(9)], seen), retries=2)
    with pytest.raises(itsm.UnavailableProblem):
        client.get_health()
    assert (len(seen), len(waits)) == (3, 2)
    client, waits = connect(lambda request: httpx.Response(429, headers={"retry-after": "31"}))
    with pytest.raises(itsm.RateLimitProblem) as limited:
        client.get_health()
    assert limited.value.retry_after_seconds == 31 and waits == []


def test_does_not_repeat_what_may_have_been_applied() -> None:
    calls: List[Callable[[Any], Any]] = [
        lambda client: client.delete_incident("INC1"),
        lambda client: client.update_incident("INC1", {"work_note": "Restarted."}),
    ]
    for call in calls:
        client, waits = connect(lambda request: httpx.Response(503))
        with pytest.raises(itsm.UnavailableProblem):
            call(client)
        assert waits == []


def test_reports_a_broken_connection_and_a_timeout() -> None:
    errors: Dict[str, httpx.TransportError] = {
        "network_error": httpx.ConnectError("refused"),
        "timeout": httpx.ReadTimeout("slow"),
    }
    for code, error in errors.items():

        def respond(request: httpx.Request, error: httpx.TransportError = error) -> httpx.Response:
            raise error

        client, _ = connect(respond, retries=1)
        with pytest.raises(itsm.ConnectionProblem) as problem:
            client.get_health()
        assert (problem.value.status, problem.value.code) == (0, code)


def test_replaces_a_rejected_token_once() -> None:
    tokens: List[str] = []

    def respond(request: httpx.Request) -> httpx.Response:
        if request.url.path == "/oauth2/token":
            tokens.append(f"token-{len(tokens)}")
            return httpx.Response(200, json={"access_token": tokens[-1], "expires_in": 3600})
        return httpx.Response(200 if request.headers["authorization"] == "Bearer token-1" else 401, json={})

    http = httpx.Client(transport=httpx.MockTransport(respond))
    client = itsm.Client("http://test", itsm.ClientCredentials("id", "secret"), http_client=http)
    client.get_me()
    client.get_me()
    assert tokens == ["token-0", "token-1"]


def test_reads_the_event_feed_to_its_end_and_no_cursor_twice() -> None:
    # A filtered page of the feed can be empty before its end.
    pages = {"0": ([1, 2], 2), "2": ([], 4), "4": ([5], 5)}

    def respond(request: httpx.Request) -> httpx.Response:
        data, next_after = pages[request.url.params.get("after", "0")]
        return httpx.Response(200, json={"data": data, "next_after": next_after, "latest": 5})

    client, _ = connect(respond)
    assert list(client.list_events(type=["incident.created", "sla.breached"])) == [1, 2, 5]
    newest_first: Iterator[Dict[str, Any]] = iter([{"data": [5, 4], "next_before": 4}, {"data": [1]}])
    client, _ = connect(lambda request: httpx.Response(200, json={**next(newest_first), "next_after": 5, "latest": 5}))
    assert list(client.list_events(record_id="INC1", order="desc")) == [5, 4, 1]
    client, _ = connect(lambda request: httpx.Response(200, json={"data": [1], "next_cursor": "same"}))
    with pytest.raises(RuntimeError, match="twice"):
        list(client.list_incidents())


def test_names_mistakes_of_the_caller() -> None:
    client, _ = connect(lambda request: httpx.Response(200))
    for wrong in ("", "..", None):
        with pytest.raises(ValueError, match="path parameter"):
            client.get_incident(wrong)
    for key in ("", "itsm_", "sk_123", "itsm_ä"):
        with pytest.raises(ValueError, match="API key"):
            itsm.Client("http://test", itsm.ApiKey(key))
    with pytest.raises(ValueError, match="base_url"):
        itsm.Client("localhost:3000", itsm.ApiKey("itsm_YTpi"))


secret = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDJDTCqmTCTjI="
body = json.dumps({"event": "incident.created", "data": {"id": "INC7Q2M4KX", "short_description": "Zürich"}}).encode()
now_seconds = 1_772_359_200


def sign(at: int = now_seconds) -> Dict[str, str]:
    key = base64.b64decode(secret[6:])
    digest = hmac.new(key, f"evt_1.{at}.".encode() + body, hashlib.sha256).digest()
    return {
        "Webhook-Id": "evt_1",
        "Webhook-Timestamp": str(at),
        "Webhook-Signature": f"v1,AAAA v1,{base64.b64encode(digest).decode()}",
        "X-Service-Signature": hmac.new(secret.encode(), body, hashlib.sha256).hexdigest(),
    }


def test_verifies_both_signatures_of_a_delivery() -> None:
    event = itsm.verify_webhook(body, sign(), ["whsec_b2xkIHNlY3JldA==", secret], now=lambda: now_seconds)
    if event["event"] == "incident.created":
        assert event["data"]["short_description"] == "Zürich"
    only = {"x-service-signature": f"sha256={sign()['X-Service-Signature']}"}
    assert itsm.verify_webhook(body.decode(), only, secret) == event


@pytest.mark.parametrize(
    "changed, headers",
    [
        (body + b" ", sign()),
        (body, {**sign(), "Webhook-Id": "evt_2"}),
        (body, {**sign(), "Webhook-Signature": "v1,"}),
        (body, {**sign(), "Webhook-Timestamp": "now"}),
        (body, sign(now_seconds - 301)),
        (body, {"x-service-signature": "00"}),
        (body, {}),
    ],
)
def test_rejects_a_delivery_that_is_not_signed(changed: bytes, headers: Dict[str, str]) -> None:
    with pytest.raises(itsm.ServiceProblem, match="invalid_signature"):
        itsm.verify_webhook(changed, headers, secret, now=lambda: now_seconds)


def test_needs_the_raw_body_and_a_secret() -> None:
    with pytest.raises(TypeError, match="as received"):
        itsm.verify_webhook(json.loads(body), sign(), secret)
    with pytest.raises(ValueError, match="not set"):
        itsm.verify_webhook(body, sign(), "")


def test_has_types_that_mypy_accepts() -> None:
    api = pytest.importorskip("mypy.api", reason="mypy is not installed")
    folder = Path(__file__).parent.parent
    output, errors, status = api.run(["--strict", "--cache-dir", "/dev/null", str(folder / "incident_service"), str(folder / "tests")])
    assert status == 0, output + errors
