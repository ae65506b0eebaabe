import { AgentJob, JOB_EVENT_TYPES } from '@corrigenda/contracts'
import {
  archivedJob,
  cancelledJob,
  changes,
  completedJob,
  createRequest,
  createRequestFull,
  events,
  failedJob,
  queuedJob,
} from '../examples.ts'
import type { OperationDocs } from '../operation-doc.ts'

const JOB = '/v2/agent/{projectId}/job'

const EVENT_TABLE = `<details>
<summary>Types of events</summary>

| Type | Meaning |
|---|---|
${Object.entries(JOB_EVENT_TYPES)
  .map(([type, meaning]) => `| \`${type}\` | ${meaning} |`)
  .join('\n')}

More may come; ignore those you do not know.

</details>`

export const jobDocs: OperationDocs = {
  [`POST ${JOB}`]: {
    operationId: 'createJob',
    tag: 'Jobs',
    summary: 'Post a prompt',
    description:
      'Accepts a job and answers at once; the work happens in the background. At most 100 jobs per project in any hour, unless the operator configured another limit; requests that are refused use none of it. Send an `Idempotency-Key` so that a repeated request makes no second job.',
    scope: 'jobs:write',
    requestHeaders: ['Idempotency-Key'],
    requestExamples: {
      prompt: { summary: 'All that is needed', value: createRequest },
      options: { summary: 'With every option of a docs team', value: createRequestFull },
    },
    answers: {
      201: {
        description: 'The job, active and queued.',
        headers: ['ratelimit-policy', 'ratelimit', 'idempotent-replayed'],
        schema: AgentJob,
        examples: { queued: { value: queuedJob } },
      },
    },
    errors: [
      'idempotency_mismatch',
      'idempotency_in_flight',
      'duplicate_job',
      'too_many_pull_requests',
      'quota_exceeded',
    ],
  },
  [`GET ${JOB}/{id}`]: {
    operationId: 'getJob',
    tag: 'Jobs',
    summary: 'Read a job',
    description:
      'The endpoint to poll until `status` is no longer `active`. Send the `ETag` back as `If-None-Match`: an unchanged job answers 304 without a body.',
    scope: 'jobs:read',
    requestHeaders: ['If-None-Match'],
    answers: {
      200: {
        description: 'The job.',
        headers: ['etag'],
        examples: {
          queued: { value: queuedJob },
          completed: { value: completedJob },
          failed: { value: failedJob },
        },
      },
      304: { description: 'Nothing changed since the state that you have.', headers: ['etag'] },
    },
  },
  [`GET ${JOB}s`]: {
    operationId: 'listJobs',
    tag: 'Jobs',
    summary: 'List jobs',
    description:
      'Newest first. Filters are combined. `nextCursor` leads to the next page and is null on the last one; jobs created meanwhile do not move the pages.',
    scope: 'jobs:read',
    answers: {
      200: {
        description: 'A page of jobs.',
        examples: { page: { value: { jobs: [completedJob], nextCursor: null } } },
      },
    },
  },
  [`POST ${JOB}/{id}/message`]: {
    operationId: 'sendMessage',
    tag: 'Jobs',
    summary: 'Send a follow-up',
    description:
      'Another prompt for the same job: the agent goes on, on the same branch and the same pull request, on top of what people have pushed to it. While the job is active the agent is told before its next turn; a message that comes too late for that is worked on before the job ends. A job that has ended becomes active again, with `prLink` null until it ends; `pullRequest` stays. Cancelling the job drops what the agent was not told yet. Quote review comments in the prompt when they are what it shall answer. At most 100 messages per project in any hour, counted apart from new jobs.',
    scope: 'jobs:write',
    requestHeaders: ['Idempotency-Key'],
    requestExamples: { prompt: { value: { prompt: 'Mention that the flag is new in version 1.4.' } } },
    answers: {
      200: {
        description: 'The job, active.',
        headers: ['ratelimit-policy', 'ratelimit', 'idempotent-replayed'],
        schema: AgentJob,
        examples: {
          active: { value: { ...completedJob, status: 'active', phase: 'queued', outcome: null, prLink: null } },
        },
      },
    },
    errors: ['job_archived', 'pull_request_closed', 'idempotency_mismatch', 'idempotency_in_flight', 'quota_exceeded'],
  },
  [`POST ${JOB}/{id}/cancel`]: {
    operationId: 'cancelJob',
    tag: 'Jobs',
    summary: 'Cancel a job',
    description:
      'Ends an active job: it becomes `failed` with the outcome `cancelled`, and no pull request appears afterwards. Cancelling a cancelled job again changes nothing. When the job is just opening its pull request the answer may be 503 `cancel_pending`: ask again to learn how it ended.',
    scope: 'jobs:write',
    answers: { 200: { description: 'The job, cancelled.', examples: { cancelled: { value: cancelledJob } } } },
    errors: ['job_ended', 'cancel_pending'],
  },
  [`POST ${JOB}/{id}/archive`]: {
    operationId: 'archiveJob',
    tag: 'Jobs',
    summary: 'Archive a job',
    description:
      'Marks a job that has ended as archived, for good. It stays readable. Archiving it again changes nothing.',
    scope: 'jobs:write',
    answers: { 200: { description: 'The job, archived.', examples: { archived: { value: archivedJob } } } },
    errors: ['job_active'],
  },
  [`POST ${JOB}/{id}/retry`]: {
    operationId: 'retryJob',
    tag: 'Jobs',
    summary: 'Try a job again',
    description:
      'Makes a new job with the prompt and the options of one that has ended; `retryOf` names it. Retries have an hourly limit of their own.',
    scope: 'jobs:write',
    requestHeaders: ['Idempotency-Key'],
    answers: {
      201: {
        description: 'The new job, active and queued.',
        headers: ['ratelimit-policy', 'ratelimit', 'idempotent-replayed'],
        schema: AgentJob,
        examples: {
          queued: { value: { ...queuedJob, id: 'job_01kgs4m0a2c4e6g8j0m2p4r6t8', retryOf: failedJob.id } },
        },
      },
    },
    errors: [
      'job_active',
      'idempotency_mismatch',
      'idempotency_in_flight',
      'duplicate_job',
      'too_many_pull_requests',
      'quota_exceeded',
    ],
  },
  [`GET ${JOB}/{id}/events`]: {
    operationId: 'listJobEvents',
    tag: 'Jobs',
    summary: 'Read or stream what happened on a job',
    description: `Events in order, numbered per job without gaps. JSON pages by default: page on with \`after\`. With \`Accept: text/event-stream\` the events come as they happen (Server-Sent Events: \`id\` is the \`seq\`, \`event\` the type, \`data\` the event as JSON), the stream ends after the last event of a job that has ended, and \`Last-Event-ID\` resumes one that broke. A comment every 15 seconds shows that the connection lives.\n\n${EVENT_TABLE}`,
    scope: 'jobs:read',
    requestHeaders: ['Last-Event-ID'],
    answers: {
      200: {
        description: 'A page of events, or the stream.',
        examples: { page: { value: { events } } },
        text: {
          'text/event-stream': `retry: 2000\n\nid: 1\nevent: job.created\ndata: ${JSON.stringify(events[0])}\n\n`,
        },
      },
      204: { description: 'For a stream: the job has ended and you have every event.' },
    },
    errors: ['invalid_request', 'too_many_streams'],
  },
  [`GET ${JOB}/{id}/changes`]: {
    operationId: 'getJobChanges',
    tag: 'Jobs',
    summary: 'Read what a job changed',
    description:
      'Files and patches against the base commit, kept when the branch is gone. With `Accept: text/x-diff` the bare patch, as `git apply` takes it.',
    scope: 'jobs:read',
    answers: {
      200: {
        description: 'The changes; none before the agent made some.',
        examples: { modified: { value: changes } },
        text: { 'text/x-diff': changes.patch },
      },
    },
  },
}
