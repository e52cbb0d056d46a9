"""One error class for all failures between the caller and the service, with a subclass for each kind that programs handle
differently. `status` is 0 when there was no response."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Mapping, Optional, Type

from .types import FieldProblem


class ServiceProblem(Exception):
    """`code` is a code of the service, of the OAuth token endpoint, or one of this client: `timeout`, `network_error`,
    `unexpected_response`, `not_modified`, `invalid_signature`."""

    def __init__(
        self,
        status: int,
        code: str,
        title: str,
        detail: str,
        *,
        errors: Optional[List[FieldProblem]] = None,
        request_id: Optional[str] = None,
        retry_after_seconds: Optional[int] = None,
        document: Optional[Mapping[str, Any]] = None,
    ) -> None:
        self.status = status
        self.code = code
        self.title = title
        self.detail = detail
        self.errors = errors or []
        self.request_id = request_id
        self.retry_after_seconds = retry_after_seconds
        #: Every member of the problem document.
        self.document = document or {}
        fields = "; ".join(f"{error['field']} {error['message']}" for error in self.errors)
        request = f" (request {request_id})" if request_id else ""
        super().__init__(f"{status or 'no response'} {code}: {detail}{f' [{fields}]' if fields else ''}{request}")


class ConnectionProblem(ServiceProblem):
    """No response: the service is not reachable or did not respond in time."""


class ValidationProblem(ServiceProblem):
    """400: `errors` has the fields."""


class AuthenticationProblem(ServiceProblem):
    """401: the credentials or the token are not valid."""


class PermissionProblem(ServiceProblem):
    """403: the role is too low."""


class NotFoundProblem(ServiceProblem):
    """404."""


class ConflictProblem(ServiceProblem):
    """409: the state of the record does not allow the request."""


class TransitionProblem(ConflictProblem):
    """409 `invalid_transition`: the record can move to `allowed_transitions` only."""

    @property
    def allowed_transitions(self) -> List[str]:
        return list(self.document.get("allowed_transitions") or [])


class PreconditionProblem(ServiceProblem):
    """412: the record has changed since the version in `if_match`."""


class RateLimitProblem(ServiceProblem):
    """429: `retry_after_seconds` says when to try again."""


class UnavailableProblem(ServiceProblem):
    """502, 503 and 504."""


_classes: Dict[int, Type[ServiceProblem]] = {
    400: ValidationProblem,
    401: AuthenticationProblem,
    403: PermissionProblem,
    404: NotFoundProblem,
    409: ConflictProblem,
    412: PreconditionProblem,
    429: RateLimitProblem,
    502: UnavailableProblem,
    503: UnavailableProblem,
    504: UnavailableProblem,
}


def to_problem(status: int, headers: Mapping[str, str], text: str) -> ServiceProblem:
    """Parses problem details, OAuth errors, and responses of proxies in between."""
    document = _parse_object(text)
    code = _parse_text(document.get("code"))
    oauth_code = _parse_text(document.get("error"))
    if code:
        title = _parse_text(document.get("title")) or code
        detail = _parse_text(document.get("detail")) or title
    elif oauth_code:
        code, title = oauth_code, "No access token issued"
        detail = _parse_text(document.get("error_description")) or f"The token endpoint returned {oauth_code}."
    else:
        code, title = "unexpected_response", "Unexpected response"
        detail = f"The server returned {status} without problem details."
    # The token endpoint rejects credentials with 400.
    kind = AuthenticationProblem if code == "invalid_client" else _classes.get(status, ServiceProblem)
    return (TransitionProblem if code == "invalid_transition" else kind)(
        status,
        code,
        title,
        detail,
        errors=_parse_errors(document.get("errors")),
        request_id=_parse_text(document.get("request_id")) or headers.get("x-request-id"),
        retry_after_seconds=_parse_seconds(headers.get("retry-after")),
        document=document,
    )


def _parse_object(text: str) -> Dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _parse_text(value: object) -> Optional[str]:
    return value if isinstance(value, str) and value else None


def _parse_errors(value: object) -> List[FieldProblem]:
    errors = value if isinstance(value, list) else []
    return [error for error in errors if isinstance(error, dict) and {"field", "message"} <= error.keys()]  # type: ignore[misc]


def _parse_seconds(value: Optional[str]) -> Optional[int]:
    """The service sends whole seconds. Only intermediaries send dates, which are ignored."""
    text = (value or "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
