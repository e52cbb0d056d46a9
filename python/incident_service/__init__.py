"""Client for the incident-management service."""

from .core import CallOptions, Page, RateLimit, Response, Retry, get_response
from .operations import Client
from .problems import (
    AuthenticationProblem,
    ConflictProblem,
    ConnectionProblem,
    NotFoundProblem,
    PermissionProblem,
    PreconditionProblem,
    RateLimitProblem,
    ServiceProblem,
    TransitionProblem,
    UnavailableProblem,
    ValidationProblem,
)
from .tokens import ApiKey, ClientCredentials, TokenProvider
from .webhooks import verify_webhook

__all__ = [
    "ApiKey",
    "AuthenticationProblem",
    "CallOptions",
    "Client",
    "ClientCredentials",
    "ConflictProblem",
    "ConnectionProblem",
    "NotFoundProblem",
    "Page",
    "PermissionProblem",
    "PreconditionProblem",
    "RateLimit",
    "RateLimitProblem",
    "Response",
    "Retry",
    "ServiceProblem",
    "TokenProvider",
    "TransitionProblem",
    "UnavailableProblem",
    "ValidationProblem",
    "get_response",
    "verify_webhook",
]
