import { z } from 'zod'

/** Wire states. Closed: clients of the hosted v2 API hold exactly these four. */
export const JobStatus = z.enum(['active', 'completed', 'archived', 'failed'])
export type JobStatus = z.infer<typeof JobStatus>

/** Where an active job stands; null once it has ended. */
export const JobPhase = z.enum(['queued', 'preparing', 'editing', 'checking', 'publishing'])
export type JobPhase = z.infer<typeof JobPhase>

/** How a job ended; null while it is active. */
export const JobOutcome = z.enum(['changed', 'no_changes', 'needs_input', 'cancelled', 'failed'])
export type JobOutcome = z.infer<typeof JobOutcome>

export const PullRequestState = z.enum(['open', 'merged', 'closed'])
export type PullRequestState = z.infer<typeof PullRequestState>

/** A fault in the documentation: `line` is 1-based, null when the whole file is meant. */
export const CheckFinding = z.object({
  file: z.string(),
  line: z.number().int().nullable(),
  message: z.string(),
})
export type CheckFinding = z.infer<typeof CheckFinding>

/** One kind of check over the change. Only what the change introduced counts against it. */
export const CheckResult = z.object({
  name: z.string(),
  status: z.enum(['passed', 'failed', 'skipped']),
  introduced: z.number().int().nonnegative(),
  preexisting: z.number().int().nonnegative(),
  findings: z.array(CheckFinding),
})
export type CheckResult = z.infer<typeof CheckResult>

/** Tokens as the model API reported them; `costUsd` is null when no price is configured for the model. */
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

/** What a database and a log can hold: well-formed Unicode without NUL. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\u0000')
/** One line that shows as it is: no control characters either. */
const isPlain = (text: string): boolean => text.isWellFormed() && !/\p{Cc}/u.test(text)
const plain = { message: 'must be one line of well-formed text without control characters' }

/** Caller's own labels: at most 50 keys, values up to 500 characters. */
export const JobMetadata = z
  .record(
    z.string().min(1).max(40).refine(isPlain, plain),
    z.string().max(500).refine(isStorable, { message: 'must be well-formed Unicode without NUL characters' }),
  )
  .refine((m) => Object.keys(m).length <= 50, { message: 'metadata may have at most 50 keys' })
export type JobMetadata = z.infer<typeof JobMetadata>

/** The job record every endpoint answers. The first nine fields are the hosted API's, the rest is additive. */
export const AgentJob = z.object({
  id: z.string(),
  status: JobStatus,
  source: z.object({ repository: z.url(), ref: z.string().nullable() }),
  model: z.string(),
  prLink: z.url().nullable(),
  createdAt: timestamp,
  archivedAt: timestamp.nullable(),
  phase: JobPhase.nullable(),
  outcome: JobOutcome.nullable(),
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
  title: z.string().nullable(),
  summary: z.string().nullable(),
  pullRequest: z
    .object({
      number: z.number().int().positive(),
      url: z.url(),
      branch: z.string(),
      state: PullRequestState,
      draft: z.boolean(),
    })
    .nullable(),
  checks: z.array(CheckResult),
  usage: Usage,
  metadata: JobMetadata,
  retryOf: z.string().nullable(),
  startedAt: timestamp.nullable(),
  finishedAt: timestamp.nullable(),
  updatedAt: timestamp,
})
export type AgentJob = z.infer<typeof AgentJob>

/** Longest accepted prompt, in UTF-16 code units as `String.length` counts them. */
export const MAX_PROMPT_LENGTH = 100_000

/** What git itself allows in a branch name (git-check-ref-format), short of 200 characters. */
export const BranchName = z
  .string()
  .min(1)
  .max(200)
  .refine(
    (name) =>
      name.isWellFormed() &&
      !/[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|^[/.-]|\/\.|[/.]$|\.lock(\/|$)/u.test(name) &&
      name !== '@',
    {
      message: 'is not a valid git branch name',
    },
  )

/** Body of POST /v2/agent/{projectId}/job. Unknown fields are ignored; every optional field defaults to the hosted behaviour. */
export const CreateAgentJobRequest = z.object({
  prompt: z.string().min(1).max(MAX_PROMPT_LENGTH).refine(isStorable, {
    message: 'must be well-formed Unicode without NUL characters',
  }),
  model: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,99}$/, 'is not a model id')
    .optional(),
  ref: BranchName.optional(),
  draft: z.boolean().optional(),
  branch: BranchName.optional(),
  title: z.string().trim().min(1).max(200).refine(isPlain, plain).optional(),
  labels: z.array(z.string().trim().min(1).max(50).refine(isPlain, plain)).max(20).optional(),
  metadata: JobMetadata.optional(),
})
export type CreateAgentJobRequest = z.infer<typeof CreateAgentJobRequest>
