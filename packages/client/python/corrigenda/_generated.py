"""Types and operations of the Corrigenda API, generated from openapi.json. Do not edit."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict
from urllib.parse import quote


class AgentJobSourceObject(TypedDict):
    """`ref` is the agent's branch. It is null while the job is queued, and if no file needed to change."""

    repository: str
    ref: str | None


class AgentJobFailure(TypedDict):
    code: str
    message: str


class AgentJobPullRequest(TypedDict):
    number: int
    url: str
    branch: str
    state: PullRequestState
    draft: bool
    checks: PullRequestChecks | None


class AgentJobDeployment(TypedDict):
    statusId: str
    status: DeploymentStatus
    url: str | None


class AgentJob(TypedDict):
    id: str
    status: JobStatus
    source: AgentJobSourceObject
    model: str
    prLink: str | None
    createdAt: str
    archivedAt: str | None
    phase: JobPhase | None
    outcome: JobOutcome | None
    failure: AgentJobFailure | None
    title: str | None
    summary: str | None
    pullRequest: AgentJobPullRequest | None
    deployment: AgentJobDeployment | None
    checks: list[CheckResult]
    sources: list[AgentJobSource]
    evidence: list[JobEvidence]
    usage: Usage
    metadata: JobMetadata
    retryOf: str | None
    startedAt: str | None
    finishedAt: str | None
    workedMs: int | None
    workingSince: str | None
    updatedAt: str
    traceId: str | None


class AgentJobSource(TypedDict):
    name: str
    repository: str
    ref: str | None
    commit: str
    baseCommit: str | None
    note: str | None


class AgentSessionTodosItem(TypedDict):
    content: str
    status: Literal["pending", "in_progress", "completed", "cancelled"]
    priority: Literal["high", "medium", "low"]
    id: str


class AgentSession(TypedDict):
    sessionId: str
    subdomain: str
    branch: str | None
    haulted: bool
    haultReason: Literal["completed", "github_missconfigured", "error", "processing", "interrupted"]
    pullRequestLink: str
    messageToUser: str
    todos: list[AgentSessionTodosItem]
    title: str
    createdAt: str


class AgentSessionList(TypedDict):
    allSessions: list[AgentSession]

AuditAction = Literal["account.created", "account.deleted", "account.renamed", "account.password_set", "account.provider_linked", "account.provider_unlinked", "account.sign_in_link_created", "account.admin_granted", "account.admin_revoked", "session.signed_in", "session.sign_in_failed", "session.ended", "project.created", "project.settings_changed", "project.deleted", "project.exported", "member.joined", "member.role_changed", "member.removed", "invitation.created", "invitation.revoked", "key.created", "key.rotated", "key.revoked", "credential.saved", "credential.deleted", "connection_check.started", "webhook.created", "webhook.updated", "webhook.deleted", "webhook.secret_rotated", "webhook.tested", "webhook.redelivered", "job.created", "job.message_sent", "job.cancelled", "job.archived", "job.unarchived", "job.retried", "job.deleted", "job.token_created", "saved_prompt.created", "saved_prompt.updated", "saved_prompt.deleted", "deployment.started", "github_app.registration_started", "github_app.created", "github_app.deleted", "signing_key.created", "signing_key.deleted", "secret.rotated", "backup.created", "backup.restored"]


class AuditActor(TypedDict):
    type: Literal["user", "key", "command_line", "anonymous", "system"]
    id: str | None
    name: str


class AuditEvent(TypedDict):
    id: str
    createdAt: str
    action: AuditAction
    actor: AuditActor
    ipAddress: str | None
    requestId: str | None
    projectId: str | None
    target: AuditTarget | None
    before: dict[str, Any] | None
    after: dict[str, Any] | None


class AuditEventPayloadData(TypedDict):
    auditEvent: AuditEvent


class AuditEventPayload(TypedDict):
    type: Literal["audit.event"]
    timestamp: str
    data: AuditEventPayloadData


class AuditTarget(TypedDict):
    type: str
    id: str
    name: str | None

BranchName = str


class BudgetWarningPayloadDataBudget(TypedDict):
    month: str
    spentUsd: float
    budgetUsd: float
    endsAt: str
    projectId: str


class BudgetWarningPayloadData(TypedDict):
    budget: BudgetWarningPayloadDataBudget


class BudgetWarningPayload(TypedDict):
    type: Literal["budget.warning"]
    timestamp: str
    data: BudgetWarningPayloadData


class CheckFinding(TypedDict):
    file: str
    line: int | None
    message: str
    code: NotRequired[str]
    advisory: NotRequired[bool]
    breaksBuild: NotRequired[bool]


class CheckResult(TypedDict):
    name: str
    status: Literal["passed", "failed", "skipped"]
    introduced: int
    preexisting: int
    fixed: NotRequired[int]
    findings: list[CheckFinding]
    note: NotRequired[str]


class CreateAgentJobRequest(TypedDict):
    prompt: str
    model: NotRequired[str]
    ref: NotRequired[BranchName]
    draft: NotRequired[bool]
    branch: NotRequired[BranchName]
    title: NotRequired[str]
    labels: NotRequired[list[str]]
    dedupe: NotRequired[bool]
    questions: NotRequired[Questions]
    metadata: NotRequired[JobMetadata]
    sources: NotRequired[JobSources]
    asDraft: NotRequired[bool]


class CreateAgentSessionRequestMessagesItem(TypedDict):
    role: Literal["system", "user", "assistant"]
    content: str


class CreateAgentSessionRequest(TypedDict):
    messages: list[CreateAgentSessionRequestMessagesItem]
    branch: NotRequired[BranchName]
    asDraft: NotRequired[bool | Literal["true", "false"]]
    model: NotRequired[str]
    questions: NotRequired[Questions]


class CreateWebhookRequest(TypedDict):
    url: str
    description: NotRequired[str]
    events: NotRequired[list[WebhookEventType]]


class CreatedWebhook(TypedDict):
    id: str
    projectId: str
    url: str
    description: str
    events: list[str]
    secret: str
    failingSince: str | None
    disabledAt: str | None
    disabledReason: Literal["manual", "gone", "failing"] | None
    createdAt: str
    updatedAt: str


class DeployedCommitFilesChanged(TypedDict):
    added: list[str]
    modified: list[str]
    removed: list[str]


class DeployedCommit(TypedDict):
    sha: str
    ref: str
    message: str
    filesChanged: DeployedCommitFilesChanged


class DeploymentAuthor(TypedDict):
    name: str
    avatarUrl: str
    githubUserId: float


class DeploymentPreview(TypedDict):
    branch: str
    url: str


Deployment = TypedDict("Deployment", {"_id": "str", "projectId": "str", "createdAt": "str", "endedAt": "str | None", "status": "DeploymentStatus", "summary": "str", "logs": "list[str]", "commit": "DeployedCommit | None", "source": "DeploymentSource", "trigger": "DeploymentTrigger", "subdomain": "str", "screenshot": "str", "screenshotLight": "str", "screenshotDark": "str", "author": "DeploymentAuthor | None", "preview": "DeploymentPreview | None", "url": "str | None", "jobId": "str | None"})


class DeploymentPage(TypedDict):
    updates: list[Deployment]
    nextCursor: str | None

DeploymentSource = Literal["internal", "github-app-installation", "api", "github", "dashboard", "gitlab", "onboarding"]

DeploymentStatus = Literal["queued", "in_progress", "success", "failure"]

DeploymentTrigger = Literal["api", "merge", "dashboard"]


class DeploymentWebhookPayloadData(TypedDict):
    deployment: Deployment


class DeploymentWebhookPayload(TypedDict):
    type: Literal["deployment.finished"]
    timestamp: str
    data: DeploymentWebhookPayloadData


class DisabledWebhookPayloadDataWebhook(TypedDict):
    id: str
    host: str
    disabledAt: str
    reason: Literal["gone", "failing"]


class DisabledWebhookPayloadData(TypedDict):
    webhook: DisabledWebhookPayloadDataWebhook


class DisabledWebhookPayload(TypedDict):
    type: Literal["webhook.disabled"]
    timestamp: str
    data: DisabledWebhookPayloadData


class Error(TypedDict):
    error: str


class FileChange(TypedDict):
    path: str
    status: Literal["added", "modified", "removed", "renamed"]
    previousPath: NotRequired[str]
    additions: int
    deletions: int
    patch: str | None
    omitted: Literal["binary", "not_utf8", "too_large"] | None


class JobChanges(TypedDict):
    baseCommit: str | None
    headCommit: str | None
    files: list[FileChange]
    patch: str
    truncated: bool


class JobEvent(TypedDict):
    seq: int
    type: str
    createdAt: str
    data: dict[str, Any]


class JobEventPage(TypedDict):
    events: list[JobEvent]


class JobEvidence(TypedDict):
    page: str
    source: str
    path: str
    fromLine: int
    toLine: int
    note: str
    commit: str

JobMetadata = "dict[str, str]"

JobOutcome = Literal["changed", "no_changes", "needs_input", "cancelled", "failed"]


class JobPage(TypedDict):
    jobs: list[AgentJob]
    nextCursor: str | None

JobPhase = Literal["queued", "preparing", "editing", "checking", "publishing"]


class JobSource(TypedDict):
    name: str
    ref: NotRequired[str]
    pullRequest: NotRequired[int]
    since: NotRequired[str]

JobSources = "list[JobSource]"

JobStatus = Literal["active", "completed", "archived", "failed"]


class JobToken(TypedDict):
    token: str
    jobId: str
    expiresAt: str

KeyScope = Literal["jobs:read", "jobs:write", "project:deploy", "webhooks:write"]


class Limit(TypedDict):
    limit: int
    remaining: int
    windowSeconds: int
    resetSeconds: int


class MeProject(TypedDict):
    id: str
    name: str
    repository: str


class MeKey(TypedDict):
    id: str
    name: str
    scopes: list[KeyScope]
    expiresAt: str | None
    lastUsedAt: str | None


class MeLimits(TypedDict):
    jobs: Limit
    retries: Limit
    messages: Limit


class Me(TypedDict):
    projectId: str
    project: MeProject
    key: MeKey
    limits: MeLimits


class PreviewAccepted(TypedDict):
    statusId: str
    previewUrl: str


class PreviewRequest(TypedDict):
    branch: BranchName

PullRequestChecks = Literal["pending", "passed", "failed"]

PullRequestState = Literal["open", "merged", "closed"]

Questions = Literal["ask", "fail"]


class RotatedWebhookSecret(TypedDict):
    id: str
    secret: str
    previousValidUntil: str


class SendMessageRequest(TypedDict):
    prompt: str


class TestWebhookPayloadDataWebhook(TypedDict):
    id: str


class TestWebhookPayloadData(TypedDict):
    webhook: TestWebhookPayloadDataWebhook
    message: str


class TestWebhookPayload(TypedDict):
    type: Literal["webhook.test"]
    timestamp: str
    data: TestWebhookPayloadData


class UpdateAccepted(TypedDict):
    statusId: str


class UpdateWebhookRequest(TypedDict):
    url: NotRequired[str]
    description: NotRequired[str]
    events: NotRequired[list[WebhookEventType]]
    disabled: NotRequired[bool]


class UpdatedWebhook(TypedDict):
    id: str
    projectId: str
    url: str
    description: str
    events: list[str]
    secret: str
    failingSince: str | None
    disabledAt: str | None
    disabledReason: Literal["manual", "gone", "failing"] | None
    createdAt: str
    updatedAt: str


class Usage(TypedDict):
    inputTokens: int
    outputTokens: int
    cacheReadTokens: int
    cacheWriteTokens: int
    costUsd: float | None
    turns: int


class Webhook(TypedDict):
    id: str
    projectId: str
    url: str
    description: str
    events: list[str]
    secret: Literal["whsec_********"]
    failingSince: str | None
    disabledAt: str | None
    disabledReason: Literal["manual", "gone", "failing"] | None
    createdAt: str
    updatedAt: str


class WebhookAttempt(TypedDict):
    attempt: int
    createdAt: str
    status: int | None
    error: str | None
    ms: int
    answer: str


class WebhookDelivery(TypedDict):
    id: str
    eventId: str
    eventType: str
    status: Literal["pending", "delivered", "failed"]
    nextAttemptAt: str | None
    lastStatus: int | None
    lastError: str | None
    createdAt: str
    endedAt: str | None
    attempts: list[WebhookAttempt]


class WebhookDeliveryPage(TypedDict):
    deliveries: list[WebhookDelivery]
    nextCursor: str | None

WebhookEventType = Literal["job.created", "job.completed", "job.failed", "job.archived", "pull_request.updated", "pull_request.commented", "pull_request.changes_requested", "deployment.finished", "webhook.disabled", "budget.warning", "audit.event"]


class WebhookPage(TypedDict):
    webhooks: list[Webhook]


class GetHealthResult(TypedDict):
    status: Literal["ok"]


class GetReadinessResult(TypedDict):
    status: Literal["ready"]


class Operations:
    """The operations of the API for one project."""

    project_id: str

    def _send(self, method: str, path: str, query: dict[str, Any], body: Any, idempotency_key: str | None) -> Any:
        raise NotImplementedError

    def get_health(self) -> GetHealthResult:
        """Check liveness."""

        return self._send('GET', f"/healthz", {}, None, None)

    def get_readiness(self, *, workers: Literal["0", "1"] | None = None) -> GetReadinessResult:
        """Check readiness."""

        return self._send('GET', f"/readyz", {"workers": workers}, None, None)

    def create_job(self, body: CreateAgentJobRequest, *, idempotency_key: str | None = None) -> AgentJob:
        """Create a job."""

        return self._send('POST', f"/v2/agent/{quote(self.project_id, safe='')}/job", {}, body, idempotency_key)

    def get_job(self, id: str) -> AgentJob:
        """Read a job."""

        return self._send('GET', f"/v2/agent/{quote(self.project_id, safe='')}/job/{quote(id, safe='')}", {}, None, None)

    def delete_job(self, id: str) -> None:
        """Delete a job."""

        return self._send('DELETE', f"/v2/agent/{quote(self.project_id, safe='')}/job/{quote(id, safe='')}", {}, None, None)

    def list_jobs(self, *, status: JobStatus | None = None, outcome: JobOutcome | None = None, q: str | None = None, created_after: str | None = None, created_before: str | None = None, limit: int | None = None, cursor: str | None = None) -> JobPage:
        """List jobs."""

        return self._send('GET', f"/v2/agent/{quote(self.project_id, safe='')}/jobs", {"status": status, "outcome": outcome, "q": q, "createdAfter": created_after, "createdBefore": created_before, "limit": limit, "cursor": cursor}, None, None)

    def archive_job(self, id: str) -> AgentJob:
        """Archive a job."""

        return self._send('POST', f"/v2/agent/{quote(self.project_id, safe='')}/job/{quote(id, safe='')}/archive", {}, None, None)

    def unarchive_job(self, id: str) -> AgentJob:
        """Unarchive a job."""

        return self._send('POST', f"/v2/agent/{quote(self.project_id, safe='')}/job/{quote(id, safe='')}/unarchive", {}, None, None)

    def cancel_job(self, id: str) -> AgentJob:
        """Cancel a job."""

        return self._send('POST', f"/v2/agent/{quote(self.project_id, safe='')}/job/{quote(id, safe='')}/cancel", {}, None, None)

    def retry_job(self, id: str, *, idempotency_key: str | None = None) -> AgentJob:
        """Retry a job."""

        return self._send('POST', f"/v2/agent/{quote(self.project_id, safe='')}/job/{quote(id, safe='')}/retry", {}, None, idempotency_key)

    def send_message(self, id: str, body: SendMessageRequest, *, idempotency_key: str | None = None) -> AgentJob:
        """Send a follow-up."""

        return self._send('POST', f"/v2/agent/{quote(self.project_id, safe='')}/job/{quote(id, safe='')}/message", {}, body, idempotency_key)

    def list_job_events(self, id: str, *, after: int | None = None, limit: int | None = None) -> JobEventPage:
        """Read or stream a job's events."""

        return self._send('GET', f"/v2/agent/{quote(self.project_id, safe='')}/job/{quote(id, safe='')}/events", {"after": after, "limit": limit}, None, None)

    def get_job_changes(self, id: str) -> JobChanges:
        """Read a job's changes."""

        return self._send('GET', f"/v2/agent/{quote(self.project_id, safe='')}/job/{quote(id, safe='')}/changes", {}, None, None)

    def create_job_token(self, id: str) -> JobToken:
        """Create a token that reads one job."""

        return self._send('POST', f"/v2/agent/{quote(self.project_id, safe='')}/job/{quote(id, safe='')}/token", {}, None, None)

    def get_me(self) -> Me:
        """Check the key."""

        return self._send('GET', f"/v1/me", {}, None, None)

    def trigger_update(self) -> UpdateAccepted:
        """Deploy the documentation."""

        return self._send('POST', f"/v1/project/update/{quote(self.project_id, safe='')}", {}, None, None)

    def trigger_preview(self, body: PreviewRequest) -> PreviewAccepted:
        """Deploy a preview of a branch."""

        return self._send('POST', f"/v1/project/preview/{quote(self.project_id, safe='')}", {}, body, None)

    def get_update_status(self, status_id: str) -> Deployment:
        """Read a deployment."""

        return self._send('GET', f"/v1/project/update-status/{quote(status_id, safe='')}", {}, None, None)

    def list_updates(self, *, limit: int | None = None, cursor: str | None = None) -> DeploymentPage:
        """List deployments."""

        return self._send('GET', f"/v1/project/{quote(self.project_id, safe='')}/updates", {"limit": limit, "cursor": cursor}, None, None)

    def list_webhooks(self) -> WebhookPage:
        """List webhooks."""

        return self._send('GET', f"/v1/project/{quote(self.project_id, safe='')}/webhooks", {}, None, None)

    def create_webhook(self, body: CreateWebhookRequest) -> CreatedWebhook:
        """Create a webhook."""

        return self._send('POST', f"/v1/project/{quote(self.project_id, safe='')}/webhooks", {}, body, None)

    def get_webhook(self, id: str) -> Webhook:
        """Read a webhook."""

        return self._send('GET', f"/v1/project/{quote(self.project_id, safe='')}/webhooks/{quote(id, safe='')}", {}, None, None)

    def update_webhook(self, id: str, body: UpdateWebhookRequest) -> UpdatedWebhook:
        """Update a webhook."""

        return self._send('PATCH', f"/v1/project/{quote(self.project_id, safe='')}/webhooks/{quote(id, safe='')}", {}, body, None)

    def delete_webhook(self, id: str) -> None:
        """Delete a webhook."""

        return self._send('DELETE', f"/v1/project/{quote(self.project_id, safe='')}/webhooks/{quote(id, safe='')}", {}, None, None)

    def rotate_webhook_secret(self, id: str) -> RotatedWebhookSecret:
        """Rotate a webhook's secret."""

        return self._send('POST', f"/v1/project/{quote(self.project_id, safe='')}/webhooks/{quote(id, safe='')}/rotate-secret", {}, None, None)

    def test_webhook(self, id: str) -> WebhookDelivery:
        """Send a test event."""

        return self._send('POST', f"/v1/project/{quote(self.project_id, safe='')}/webhooks/{quote(id, safe='')}/test", {}, None, None)

    def list_webhook_deliveries(self, id: str, *, status: Literal["pending", "delivered", "failed"] | None = None, limit: int | None = None, cursor: str | None = None) -> WebhookDeliveryPage:
        """List deliveries."""

        return self._send('GET', f"/v1/project/{quote(self.project_id, safe='')}/webhooks/{quote(id, safe='')}/deliveries", {"status": status, "limit": limit, "cursor": cursor}, None, None)

    def redeliver_webhook(self, id: str, delivery_id: str) -> WebhookDelivery:
        """Redeliver an event."""

        return self._send('POST', f"/v1/project/{quote(self.project_id, safe='')}/webhooks/{quote(id, safe='')}/deliveries/{quote(delivery_id, safe='')}/redeliver", {}, None, None)

    def get_open_api(self) -> dict[str, Any]:
        """Read the OpenAPI document."""

        return self._send('GET', f"/openapi.json", {}, None, None)
