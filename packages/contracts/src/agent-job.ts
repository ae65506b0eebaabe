import { z } from 'zod'
import { DeploymentStatus } from './deployment-status.ts'
import { AgentJobSource, JobEvidence } from './source.ts'
import { isPlain, isStorable, plain, storable } from './text-rules.ts'

/**
 * Job status on the wire. The set is closed, because clients of the hosted v2 API accept exactly
 * these four values.
 */
export const JobStatus = z.enum(['active', 'completed', 'archived', 'failed'])
export type JobStatus = z.infer<typeof JobStatus>

/** Current step of an active job; null once it has ended. */
export const JobPhase = z.enum(['queued', 'preparing', 'editing', 'checking', 'publishing'])
export type JobPhase = z.infer<typeof JobPhase>

/** How a job ended; null while it is active. */
export const JobOutcome = z.enum(['changed', 'no_changes', 'needs_input', 'cancelled', 'failed'])
export type JobOutcome = z.infer<typeof JobOutcome>

export const PullRequestState = z.enum(['open', 'merged', 'closed'])
export type PullRequestState = z.infer<typeof PullRequestState>

/**
 * Combined result of the Git host's checks for the latest commit: `failed` as soon as one has
 * failed, `passed` once all have succeeded.
 */
export const PullRequestChecks = z.enum(['pending', 'passed', 'failed'])
export type PullRequestChecks = z.infer<typeof PullRequestChecks>

/**
 * An issue in the documentation. `line` is 1-based, or null if the issue affects the whole file.
 */
export const CheckFinding = z.object({
  file: z.string(),
  line: z.number().int().nullable(),
  message: z.string(),
  code: z.string().optional().describe('Kind of issue, such as `link_broken`. For a linter, the rule name.'),
  advisory: z.boolean().optional().describe('True if the issue does not block the change.'),
  breaksBuild: z.boolean().optional().describe('True if the issue can prevent the site from building.'),
})
export type CheckFinding = z.infer<typeof CheckFinding>

/**
 * Result of one kind of check on the change. Only issues that the change introduced can make the
 * check fail.
 */
export const CheckResult = z.object({
  name: z.string(),
  status: z.enum(['passed', 'failed', 'skipped']),
  introduced: z.number().int().nonnegative(),
  preexisting: z.number().int().nonnegative(),
  fixed: z
    .number()
    .int()
    .nonnegative()
    .optional()
    .describe('Number of existing issues that the change fixes. Omitted if the change fixes none.'),
  findings: z.array(CheckFinding).describe('New issues are listed first.'),
  note: z
    .string()
    .optional()
    .describe('A note about the check itself, for example why it was skipped or is unreliable for this site.'),
})
export type CheckResult = z.infer<typeof CheckResult>

/**
 * Token counts as reported by the model API. `costUsd` is null if no price is configured for the
 * model.
 */
export const Usage = z.object({
  inputTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
  cacheReadTokens: z.number().int().nonnegative(),
  cacheWriteTokens: z.number().int().nonnegative(),
  costUsd: z.number().nonnegative().nullable(),
  turns: z.number().int().nonnegative(),
})
export type Usage = z.infer<typeof Usage>

const timestamp = z.iso.datetime({ precision: 3 })

/** Keys and values chosen by the caller: at most 50 keys, with values of up to 500 characters. */
export const JobMetadata = z
  .record(z.string().min(1).max(40).refine(isPlain, plain), z.string().max(500).refine(isStorable, storable))
  .refine((m) => Object.keys(m).length <= 50, { message: 'must have at most 50 keys' })
  .meta({ description: 'Your own keys and values, returned unchanged. At most 50 keys.', maxProperties: 50 })
export type JobMetadata = z.infer<typeof JobMetadata>

/**
 * The job record that every endpoint returns. The fields before `phase` match the hosted API. The
 * others are additions.
 */
export const AgentJob = z.object({
  id: z.string(),
  status: JobStatus.describe(
    'Poll the job until this is no longer `active`. A follow-up message makes a job that has ended active again.',
  ),
  source: z
    .object({ repository: z.url(), ref: z.string().nullable() })
    .describe("`ref` is the agent's branch. It is null while the job is queued, and if no file needed to change."),
  model: z.string().describe('The model id sent to the model API.'),
  prLink: z
    .url()
    .nullable()
    .describe('URL of the pull request. Null while the job is `active`, and if no file needed to change.'),
  createdAt: timestamp,
  archivedAt: timestamp.nullable(),
  phase: JobPhase.nullable().describe('Current phase of an active job; null once it has ended.'),
  outcome: JobOutcome.nullable().describe('How the job ended; null while it is active.'),
  failure: z
    .object({ code: z.string(), message: z.string() })
    .nullable()
    .describe('Reason for the failure, as a stable code and a sentence.'),
  title: z.string().nullable().describe('Title of the pull request.'),
  summary: z
    .string()
    .nullable()
    .describe("The agent's summary of its work. If the outcome is `needs_input`, the agent's question."),
  pullRequest: z
    .object({
      number: z.number().int().positive(),
      url: z.url(),
      branch: z.string(),
      state: PullRequestState,
      draft: z.boolean(),
      /** Null if the Git host has no checks for the latest commit. */
      checks: PullRequestChecks.nullable(),
    })
    .nullable(),
  /** The latest deployment that this job triggered. */
  deployment: z.object({ statusId: z.string(), status: DeploymentStatus, url: z.url().nullable() }).nullable(),
  checks: z.array(CheckResult),
  sources: z
    .array(AgentJobSource)
    .describe('The sources at the commits that the latest run read. Empty until the agent starts.'),
  evidence: z.array(JobEvidence).describe('Lines of sources that support the changes in the pull request.'),
  usage: Usage,
  metadata: JobMetadata,
  retryOf: z.string().nullable().describe('Id of the job that this job retries.'),
  startedAt: timestamp.nullable(),
  finishedAt: timestamp.nullable(),
  workedMs: z
    .number()
    .int()
    .nonnegative()
    .nullable()
    .describe(
      'Time that workers spent on the job, in ms, without the period since `workingSince`. Waiting for a worker, a rate limit, or an answer does not count. Null for a job that last ran in a version without this field.',
    ),
  workingSince: timestamp
    .nullable()
    .describe('Start of the current period of work; null while no worker works on the job.'),
  updatedAt: timestamp,
  traceId: z
    .string()
    .nullable()
    .describe('Id of the OpenTelemetry trace that contains the job. Null if the service does not record traces.'),
})
export type AgentJob = z.infer<typeof AgentJob>
