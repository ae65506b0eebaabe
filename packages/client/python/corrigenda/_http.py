from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from email.utils import parsedate_to_datetime
from http.client import HTTPException, HTTPMessage, HTTPResponse
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import HTTPRedirectHandler, Request, build_opener

from ._errors import CorrigendaError

# Statuses of an unavailable service. The request may have been processed.
_UNAVAILABLE = {502, 503, 504}


class _NoRedirects(HTTPRedirectHandler):
    """Following a redirect could send the key to another server."""

    def redirect_request(self, *_: Any) -> None:
        return None


_opener = build_opener(_NoRedirects)


def open_response(request: Request, timeout: float) -> HTTPResponse:
    """Sends a request once.

    Raises CorrigendaError for every status except 2xx, and if there is no response.
    """
    try:
        return _opener.open(request, timeout=timeout)  # type: ignore[no-any-return]
    except HTTPError as error:
        with error:
            raise _to_refusal(error.code, error.headers, error.read()) from None
    except (URLError, HTTPException, OSError) as error:
        raise connection_failed(request, error) from error


def send(request: Request, *, timeout: float, max_attempts: int, max_delay: float, repeatable: bool) -> Any:
    """Sends a request and returns the parsed body. Retries requests that can be repeated.

    A response with 429 is always retried, because the request was not processed.
    """
    attempt = 1
    while True:
        try:
            with open_response(request, timeout) as response:
                body = response.read()
                return json.loads(body) if body else None
        except ValueError:
            raise _not_the_api(200) from None
        except (HTTPException, OSError) as cause:
            error = connection_failed(request, cause)
        except CorrigendaError as cause:
            error = cause
        delay = error.retry_after_seconds if error.retry_after_seconds is not None else 0.5 * 2 ** (attempt - 1)
        if attempt >= max_attempts or delay > max_delay or not _is_retryable(error, repeatable):
            raise error
        time.sleep(delay * (1 + random.random() / 4))
        attempt += 1


def _is_retryable(error: CorrigendaError, repeatable: bool) -> bool:
    if error.status == 429:
        return True
    is_temporary = error.status in _UNAVAILABLE or error.code in ("connection_failed", "idempotency_in_flight")
    return repeatable and is_temporary


def is_outage(error: CorrigendaError) -> bool:
    """Returns true if the service may respond later."""
    return error.status in _UNAVAILABLE or error.status == 429 or error.code == "connection_failed"


def connection_failed(request: Request, cause: Exception) -> CorrigendaError:
    message = f"No response from {request.host}, or the connection was lost: {cause}"
    return CorrigendaError(message, code="connection_failed")


def _to_refusal(status: int, headers: HTTPMessage, body: bytes) -> CorrigendaError:
    try:
        message = json.loads(body)["error"]
    except (ValueError, KeyError, TypeError):
        return _not_the_api(status)
    return CorrigendaError(
        str(message),
        code=headers.get("x-error-code", "unknown"),
        status=status,
        retry_after_seconds=_read_retry_after(headers.get("retry-after")),
        request_id=headers.get("x-request-id"),
    )


def _not_the_api(status: int) -> CorrigendaError:
    message = f"The server (status {status}) is not the Corrigenda API."
    return CorrigendaError(message, code="not_the_api", status=status)


def _read_retry_after(text: str | None) -> float | None:
    """Parses `Retry-After`, which is a number of seconds or a date."""
    if text is None:
        return None
    convert: Callable[[str], float] = (
        float if text.isdigit() else lambda date: parsedate_to_datetime(date).timestamp() - time.time()
    )
    try:
        return max(0.0, convert(text))
    except ValueError:
        return None
