from __future__ import annotations


class CorrigendaError(Exception):
    """A rejected request, or a request without a response."""

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int = 0,
        retry_after_seconds: float | None = None,
        request_id: str | None = None,
    ) -> None:
        super().__init__(message)
        self.code = code
        """Stable error code, such as `quota_exceeded`, `connection_failed` or `wait_timeout`."""
        self.status = status
        """HTTP status. 0 if there was no response."""
        self.retry_after_seconds = retry_after_seconds
        self.request_id = request_id
