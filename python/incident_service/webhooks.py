"""Verification of webhook deliveries."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from typing import Callable, List, Mapping, Sequence, Union, cast

from .problems import ServiceProblem
from .types import WebhookEvent

#: A rotation sends two signatures; more are not compared.
_max_signatures = 10


def verify_webhook(
    raw_body: Union[bytes, str],
    headers: Mapping[str, str],
    secret: Union[str, Sequence[str]],
    *,
    schemes: Sequence[str] = ("standard", "hex"),
    tolerance_seconds: float = 300,
    now: Callable[[], float] = time.time,
) -> WebhookEvent:
    """Verifies a delivery and returns its payload. `raw_body` is the body as received, before JSON parsing. During the
    rotation of a secret, pass both. `standard` is Standard Webhooks, with a timestamp; `hex` is `X-Service-Signature`, which
    does not expire. Raises a ServiceProblem with the code `invalid_signature`."""
    if not isinstance(raw_body, (bytes, str)):
        raise TypeError("raw_body must be the body as received, bytes or str. A parsed body cannot be verified.")
    body = raw_body.encode() if isinstance(raw_body, str) else bytes(raw_body)
    secrets = [one for one in ([secret] if isinstance(secret, str) else secret) if one]
    if not secrets:
        raise ValueError("The secret is not set.")
    given = {name.lower(): value for name, value in headers.items()}
    standard, hexadecimal = given.get("webhook-signature"), given.get("x-service-signature")
    if standard and "standard" in schemes:
        timestamp = given.get("webhook-timestamp", "")
        if not (timestamp.isascii() and timestamp.isdigit() and abs(now() - int(timestamp)) <= tolerance_seconds):
            raise _reject("webhook-timestamp is missing or too far from the current time.")
        signed = f"{given.get('webhook-id', '')}.{timestamp}.".encode() + body
        keys = [_decode(one[6:] if one.startswith("whsec_") else one) for one in secrets]
        signatures = [_decode(one[3:]) for one in standard.split(" ")[:_max_signatures] if one.startswith("v1,")]
    elif hexadecimal and "hex" in schemes:
        signed = body
        keys = [one.encode() for one in secrets]
        text = hexadecimal.strip()
        signatures = [_decode_hex(text[7:] if text.startswith("sha256=") else text)]
    else:
        raise _reject(f"There is no signature of the schemes {', '.join(schemes)}.")
    if not _matches_any(keys, signatures, signed):
        raise _reject("No signature matches the secret and the body.")
    try:
        return cast(WebhookEvent, json.loads(body))
    except ValueError as error:
        raise _reject(f"The signed body is not JSON: {error}") from error


def _matches_any(keys: List[bytes], signatures: List[bytes], signed: bytes) -> bool:
    expected = [hmac.new(key, signed, hashlib.sha256).digest() for key in keys if key]
    return any(hmac.compare_digest(one, signature) for one in expected for signature in signatures)


def _decode(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return b""


def _decode_hex(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        return b""


def _reject(detail: str) -> ServiceProblem:
    return ServiceProblem(0, "invalid_signature", "The delivery is not verified", detail)
