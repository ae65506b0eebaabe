import type {
  AgentJob,
  AgentSession,
  CreateAgentJobRequest,
  CreatedWebhook,
  Deployment,
  JobChanges,
  JobEventRecord,
  JobToken,
  Me,
  WebhookDelivery,
} from '@corrigenda/contracts'

export const createRequest: CreateAgentJobRequest = {
  prompt: 'Document the new --json flag of the export command.',
}

export const createRequestFull: CreateAgentJobRequest = {
  prompt: 'Document the new --json flag of the export command.',
  ref: 'main',
  draft: true,
  title: 'docs: the --json flag',
  labels: ['documentation'],
  metadata: { commit: '3f2c1ab' },
  sources: [{ name: 'cli', since: 'last-job' }],
}

export const jobToken: JobToken = {
  token: 'cgj_Q2mX9aT4vB7k_01kgs3v2n8q4r6t8w0y2a4c6e8_1769864400_…',
  jobId: 'job_01kgs3v2n8q4r6t8w0y2a4c6e8',
  expiresAt: '2026-01-31T13:00:00.000Z',
}

export const queuedJob: AgentJob = {
  id: 'job_01kgs3v2n8q4r6t8w0y2a4c6e8',
  status: 'active',
  source: { repository: 'https://github.com/acme/docs', ref: null },
  model: 'claude-sonnet-5-5',
  prLink: null,
  createdAt: '2026-01-31T12:00:00.000Z',
  archivedAt: null,
  phase: 'queued',
  outcome: null,
  failure: null,
  title: null,
  summary: null,
  pullRequest: null,
  deployment: null,
  checks: [],
  sources: [],
  evidence: [],
  usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: null, turns: 0 },
  metadata: {},
  retryOf: null,
  startedAt: null,
  finishedAt: null,
  workedMs: 0,
  workingSince: null,
  updatedAt: '2026-01-31T12:00:00.000Z',
  traceId: null,
}

export const completedJob: AgentJob = {
  ...queuedJob,
  status: 'completed',
  source: { repository: 'https://github.com/acme/docs', ref: 'corrigenda/job_01kgs3v2n8q4r6t8w0y2a4c6e8' },
  prLink: 'https://github.com/acme/docs/pull/42',
  phase: null,
  outcome: 'changed',
  title: 'Document the --json flag',
  summary: 'Added the flag to the export page, with an example of its output.',
  pullRequest: {
    number: 42,
    url: 'https://github.com/acme/docs/pull/42',
    branch: 'corrigenda/job_01kgs3v2n8q4r6t8w0y2a4c6e8',
    state: 'open',
    draft: false,
    checks: 'passed',
  },
  checks: [{ name: 'links', status: 'passed', introduced: 0, preexisting: 2, findings: [] }],
  sources: [
    {
      name: 'cli',
      repository: 'https://github.com/acme/cli',
      ref: 'main',
      commit: '3f2c1ab09d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a',
      baseCommit: '90b1c2d3e4f5061728394a5b6c7d8e9f0a1b2c3d',
      note: null,
    },
  ],
  evidence: [
    {
      page: 'docs/export.md',
      source: 'cli',
      path: 'src/commands/export.ts',
      fromLine: 41,
      toLine: 44,
      note: 'Defines the --json flag and its default.',
      commit: '3f2c1ab09d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a',
    },
  ],
  usage: {
    inputTokens: 1204,
    outputTokens: 2310,
    cacheReadTokens: 38_220,
    cacheWriteTokens: 9120,
    costUsd: 0.084,
    turns: 7,
  },
  startedAt: '2026-01-31T12:00:00.412Z',
  finishedAt: '2026-01-31T12:01:09.055Z',
  workedMs: 68_643,
  updatedAt: '2026-01-31T12:01:09.055Z',
}

export const failedJob: AgentJob = {
  ...queuedJob,
  status: 'failed',
  phase: null,
  outcome: 'failed',
  failure: { code: 'impossible', message: 'The repository has no page about the export command.' },
  startedAt: '2026-01-31T12:00:00.412Z',
  finishedAt: '2026-01-31T12:04:31.700Z',
  workedMs: 271_288,
  updatedAt: '2026-01-31T12:04:31.700Z',
}

export const cancelledJob: AgentJob = {
  ...queuedJob,
  status: 'failed',
  phase: null,
  outcome: 'cancelled',
  failure: { code: 'cancelled', message: 'The job was cancelled.' },
  finishedAt: '2026-01-31T12:00:20.000Z',
  updatedAt: '2026-01-31T12:00:20.000Z',
}

export const archivedJob: AgentJob = {
  ...completedJob,
  status: 'archived',
  archivedAt: '2026-02-02T08:30:00.000Z',
  updatedAt: '2026-02-02T08:30:00.000Z',
}

export const events: JobEventRecord[] = [
  { seq: 1, type: 'job.created', createdAt: '2026-01-31T12:00:00.000Z', data: {} },
  { seq: 2, type: 'job.started', createdAt: '2026-01-31T12:00:00.412Z', data: { attempt: 1 } },
  { seq: 3, type: 'phase.changed', createdAt: '2026-01-31T12:00:00.950Z', data: { phase: 'editing' } },
]

export const session: AgentSession = {
  sessionId: completedJob.id,
  subdomain: '',
  branch: 'corrigenda/update-docs',
  haulted: true,
  haultReason: 'completed',
  pullRequestLink: 'https://github.com/acme/docs/pull/42',
  messageToUser: 'Added the flag to the export page, with an example of its output.',
  todos: [],
  title: 'Document the --json flag',
  createdAt: completedJob.createdAt,
}

const patch = `diff --git a/export.mdx b/export.mdx
--- a/export.mdx
+++ b/export.mdx
@@ -8,1 +8,3 @@
 Writes a table.
+
+With \`--json\` it writes JSON.
`

export const changes: JobChanges = {
  baseCommit: '9c1f0e7d5b3a28406f9e7d5c3b1a09f8e7d6c5b4',
  headCommit: '3f2c1ab09d8e7f6a5b4c3d2e1f0a9b8c7d6e5f40',
  files: [{ path: 'export.mdx', status: 'modified', additions: 2, deletions: 0, patch, omitted: null }],
  patch,
  truncated: false,
}

const [limit, reset] = [100, 3600]

export const me: Me = {
  projectId: 'prj_01kgs3v2n8q4r6t8w0y2a4c6e8',
  project: { id: 'prj_01kgs3v2n8q4r6t8w0y2a4c6e8', name: 'Docs', repository: 'https://github.com/acme/docs' },
  key: {
    id: '0fK3bQ9sLx2A',
    name: 'backend',
    scopes: ['jobs:read', 'jobs:write'],
    expiresAt: '2026-05-01T12:00:00.000Z',
    lastUsedAt: '2026-01-31T11:59:00.000Z',
  },
  limits: {
    jobs: { limit, remaining: 99, windowSeconds: reset, resetSeconds: 3540 },
    retries: { limit, remaining: 100, windowSeconds: reset, resetSeconds: reset },
    messages: { limit, remaining: 100, windowSeconds: reset, resetSeconds: reset },
  },
}

export const deployment: Deployment = {
  _id: 'dep_01kgs3v2n8q4r6t8w0y2a4c6e8',
  projectId: 'prj_01kgs3v2n8q4r6t8w0y2a4c6e8',
  createdAt: '2026-01-31T12:05:00.000Z',
  endedAt: '2026-01-31T12:05:03.120Z',
  status: 'success',
  summary: 'The deploy hook accepted the deployment.',
  logs: [
    '2026-01-31T12:05:00.210Z Deploying 3f2c1ab of main: Document the --json flag',
    '2026-01-31T12:05:03.120Z Calling the deploy hook at hooks.example.com (call 1 of at most 4).',
  ],
  commit: {
    sha: '3f2c1ab09d8e7f6a5b4c3d2e1f0a9b8c7d6e5f40',
    ref: 'main',
    message: 'Document the --json flag',
    filesChanged: { added: [], modified: ['export.mdx'], removed: [] },
  },
  source: 'api',
  trigger: 'api',
  subdomain: '',
  screenshot: '',
  screenshotLight: '',
  screenshotDark: '',
  author: null,
  preview: null,
  url: null,
  jobId: null,
}

export const createdWebhook: CreatedWebhook = {
  id: 'whe_01kgs3v2n8q4r6t8w0y2a4c6e8',
  projectId: 'prj_01kgs3v2n8q4r6t8w0y2a4c6e8',
  url: 'https://hooks.example.com/corrigenda',
  description: 'Release bot',
  events: ['job.completed', 'job.failed'],
  secret: 'whsec_ZXhhbXBsZSBzZWNyZXQgb2YgYSB3ZWJob29r',
  failingSince: null,
  disabledAt: null,
  disabledReason: null,
  createdAt: '2026-01-31T12:00:00.000Z',
  updatedAt: '2026-01-31T12:00:00.000Z',
}

export const webhook = { ...createdWebhook, secret: 'whsec_********' }

export const delivery: WebhookDelivery = {
  id: 'whd_01kgs3v2n8q4r6t8w0y2a4c6e8',
  eventId: 'evt_01kgs3v2n8q4r6t8w0y2a4c6e8',
  eventType: 'job.completed',
  status: 'delivered',
  nextAttemptAt: null,
  lastStatus: 204,
  lastError: null,
  createdAt: '2026-01-31T12:01:09.055Z',
  endedAt: '2026-01-31T12:01:09.301Z',
  attempts: [{ attempt: 1, createdAt: '2026-01-31T12:01:09.120Z', status: 204, error: null, ms: 181, answer: '' }],
}

export const pendingDelivery: WebhookDelivery = {
  ...delivery,
  status: 'pending',
  nextAttemptAt: '2026-01-31T12:01:09.055Z',
  lastStatus: null,
  endedAt: null,
  attempts: [],
}
