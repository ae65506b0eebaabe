from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import Callable, Iterator
from http.client import HTTPException
from typing import Any
from urllib.parse import quote, urlencode
from urllib.request import Request

from ._errors import CorrigendaError
from ._generated import AgentJob, CreateAgentJobRequest, JobEvent, Operations
from ._http import connection_failed, is_outage, open_response, send

_REPEATABLE = {"GET", "DELETE", "PATCH"}
# Requests that create something, and can be repeated because they have an Idempotency-Key.
_KEYED = ("/job", "/retry", "/message")


class Corrigenda(Operations):
    """A client for one project. Every method raises CorrigendaError when it is rejected.

    Without arguments, reads CORRIGENDA_URL, CORRIGENDA_PROJECT and CORRIGENDA_API_KEY.
    """

    def __init__(
        self,
        *,
        base_url: str | None = None,
        project_id: str | None = None,
        api_key: str | None = None,
        timeout: float = 60,
        max_attempts: int = 4,
        max_delay: float = 30,
        poll_seconds: float = 2,
        max_outage: float = 120,
    ) -> None:
        """Times are in seconds.

        timeout: maximum time without data from the service.
        max_attempts: number of attempts for one request.
        max_delay: a longer delay that the service requires is not awaited.
        max_outage: maximum time that a wait tolerates without a response.
        """
        self.base_url = _setting(base_url, "base_url", "CORRIGENDA_URL").rstrip("/")
        self.project_id = _setting(project_id, "project_id", "CORRIGENDA_PROJECT")
        self._api_key = _setting(api_key, "api_key", "CORRIGENDA_API_KEY")
        self._timeout = timeout
        self._max_attempts = max_attempts
        self._max_delay = max_delay
        self._poll_seconds = poll_seconds
        self._max_outage = max_outage

    def run_job(
        self,
        body: CreateAgentJobRequest,
        *,
        idempotency_key: str | None = None,
        timeout: float | None = None,
        on_event: Callable[[JobEvent], None] | None = None,
    ) -> AgentJob:
        """Creates a job and waits until it has ended. The job continues if the wait times out."""
        job = self.create_job(body, idempotency_key=idempotency_key)
        return self.wait_for_job(job["id"], timeout=timeout, on_event=on_event)

    def wait_for_job(
        self, id: str, *, timeout: float | None = None, on_event: Callable[[JobEvent], None] | None = None
    ) -> AgentJob:
        """Polls a job until it has ended, and passes each of its events to `on_event`.

        Raises CorrigendaError `wait_timeout` after `timeout` seconds. Default: no limit.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        answered = time.monotonic()
        after = 0
        while True:
            try:
                job = self.get_job(id)
                while on_event is not None:
                    events = self.list_job_events(id, after=after, limit=1000)["events"]
                    for event in events:
                        on_event(event)
                        after = event["seq"]
                    if len(events) < 1000:
                        break
                answered = time.monotonic()
                if job["status"] != "active":
                    return job
            except CorrigendaError as error:
                if not is_outage(error) or time.monotonic() - answered > self._max_outage:
                    raise
            if deadline is not None and time.monotonic() + self._poll_seconds > deadline:
                raise CorrigendaError(f"Job {id} is still active after {timeout} s.", code="wait_timeout")
            time.sleep(self._poll_seconds)

    def iter_jobs(self, **query: Any) -> Iterator[AgentJob]:
        """Yields all jobs that match, newest first. Requests further pages on demand."""
        cursor: str | None = None
        while True:
            page = self.list_jobs(**query, cursor=cursor)
            yield from page["jobs"]
            cursor = page["nextCursor"]
            if cursor is None:
                return

    def events(self, id: str, *, after: int = 0) -> Iterator[JobEvent]:
        """Yields the events of a job as they occur, until it has ended. Resumes after interruptions."""
        path = f"/v2/agent/{quote(self.project_id, safe='')}/job/{quote(id, safe='')}/events"
        answered = time.monotonic()
        while True:
            request = self._build("GET", path, {"after": after})
            request.add_header("accept", "text/event-stream")
            pause = self._poll_seconds
            try:
                with open_response(request, self._timeout) as response:
                    if response.status == 204:
                        return
                    for line in response:
                        answered = time.monotonic()
                        if line.startswith(b"data:"):
                            event: JobEvent = json.loads(line[5:])
                            after = event["seq"]
                            pause = 0
                            yield event
            except CorrigendaError as error:
                if not is_outage(error) or time.monotonic() - answered > self._max_outage:
                    raise
                pause = min(error.retry_after_seconds or pause, self._max_delay)
            except (HTTPException, OSError) as error:
                if time.monotonic() - answered > self._max_outage:
                    raise connection_failed(request, error) from error
                pause = self._poll_seconds
            time.sleep(pause)

    def _build(self, method: str, path: str, query: dict[str, Any], body: Any = None) -> Request:
        given = {name: value for name, value in query.items() if value is not None}
        url = self.base_url + path + (f"?{urlencode(given)}" if given else "")
        request = Request(url, method=method)
        request.add_header("authorization", f"Bearer {self._api_key}")
        if body is not None:
            request.add_header("content-type", "application/json")
            request.data = json.dumps(body).encode()
        return request

    def _send(self, method: str, path: str, query: dict[str, Any], body: Any, idempotency_key: str | None) -> Any:
        request = self._build(method, path, query, body)
        is_keyed = method == "POST" and path.startswith("/v2/agent/") and path.endswith(_KEYED)
        if is_keyed:
            request.add_header("idempotency-key", idempotency_key or secrets.token_hex(16))
        return send(
            request,
            timeout=self._timeout,
            max_attempts=self._max_attempts,
            max_delay=self._max_delay,
            repeatable=is_keyed or method in _REPEATABLE or path.endswith(("/cancel", "/archive", "/unarchive", "/token")),
        )


def _setting(value: str | None, argument: str, name: str) -> str:
    found = value or os.environ.get(name)
    if not found:
        raise ValueError(f"Pass {argument}, or set the environment variable {name}.")
    return found
