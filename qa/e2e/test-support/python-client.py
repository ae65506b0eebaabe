"""Uses the installed Python client against a running service. Prints "ok" at the end."""

import inspect
import os
import typing

import corrigenda._generated as generated
from corrigenda import Corrigenda, CorrigendaError

# Every annotation of the generated module refers to a type that exists.
checked = 0
for value in vars(generated).values():
    if typing.is_typeddict(value):
        typing.get_type_hints(value)
        checked += 1
for method in vars(generated.Operations).values():
    if inspect.isfunction(method):
        typing.get_type_hints(method)
        checked += 1
assert checked > 80, checked

client = Corrigenda(poll_seconds=0.1)
body: generated.CreateAgentJobRequest = {
    "prompt": "Move page guides/secrets to guides/managing-secrets",
    "metadata": {"from": "python"},
}
job = client.create_job(body)
events = list(client.events(job["id"]))
assert [event["seq"] for event in events] == list(range(1, len(events) + 1)), events
assert events[-1]["type"] == "job.completed", events
ended = client.wait_for_job(job["id"], timeout=60)
assert (ended["outcome"], ended["metadata"]) == ("changed", {"from": "python"}), ended
assert client.get_job_changes(job["id"])["files"]
assert job["id"] in [one["id"] for one in client.iter_jobs(limit=1)]
assert client.create_job_token(job["id"])["token"].startswith("cgj_")
assert client.get_me()["projectId"] == os.environ["CORRIGENDA_PROJECT"]

retried = client.retry_job(job["id"], idempotency_key="python-retry")
assert client.retry_job(job["id"], idempotency_key="python-retry")["id"] == retried["id"]
assert client.wait_for_job(retried["id"], timeout=60)["retryOf"] == job["id"]
assert client.archive_job(retried["id"])["status"] == "archived"
assert client.delete_job(retried["id"]) is None


def code_of(call: typing.Callable[[], object]) -> tuple[str, int]:
    try:
        call()
    except CorrigendaError as error:
        return error.code, error.status
    raise AssertionError("the call was not rejected")


assert code_of(lambda: client.get_job(retried["id"])) == ("not_found", 404)
assert code_of(lambda: client.create_job({"prompt": " "})) == ("invalid_request", 400)
assert code_of(lambda: Corrigenda(api_key="cgd_wrong").get_me()) == ("unauthorized", 401)
unreachable = Corrigenda(base_url="http://127.0.0.1:9", max_attempts=1)
assert code_of(unreachable.get_me) == ("connection_failed", 0)
waiting = client.create_job(body)
assert code_of(lambda: client.wait_for_job(waiting["id"], timeout=0)) == ("wait_timeout", 0)

del os.environ["CORRIGENDA_PROJECT"]
try:
    Corrigenda()
    raise AssertionError("the project is missing")
except ValueError as error:
    assert "CORRIGENDA_PROJECT" in str(error)
print("ok")
