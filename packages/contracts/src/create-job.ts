import { z } from 'zod'
import { JobMetadata } from './agent-job.ts'
import { BranchName } from './branch-name.ts'
import { JobSources } from './source.ts'
import { hasText, hasWords, isPlain, isStorable, notBlank, plain, storable, words } from './text-rules.ts'

/**
 * Maximum prompt length in UTF-16 code units, as counted by `String.length`. The limit of the
 * request body, 1 MiB, also applies.
 */
export const MAX_PROMPT_LENGTH = 1_048_576

/** What a question of the agent does: `ask` completes the job with the question, `fail` fails it. */
export const Questions = z.enum(['ask', 'fail'])
export type Questions = z.infer<typeof Questions>

/**
 * The fields of a new job. This is the only definition of the job options. CONTRIBUTING.md lists
 * the steps for adding a field.
 */
export const JobRequest = z.object({
  prompt: z
    .string()
    .min(1)
    .max(MAX_PROMPT_LENGTH)
    .refine(isStorable, storable)
    .refine(hasText, notBlank)
    .refine(hasWords, words)
    .describe('The change to make, in one sentence or more.'),
  model: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,99}$/, 'is not a valid model id')
    .optional()
    .describe(
      'Model id, or an alias such as `sonnet`. Defaults to the model configured for the project or the service.',
    ),
  ref: BranchName.optional().describe("The branch to start from. Defaults to the project's base branch."),
  draft: z.boolean().optional().describe('Open the pull request as a draft.'),
  branch: BranchName.optional().describe(
    "Name of the new branch. Must start with a prefix that the project allows, by default corrigenda/ or docs/. Defaults to the project's branch prefix followed by the job id.",
  ),
  title: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .refine(isPlain, plain)
    .optional()
    .describe('Title of the pull request. By default, the agent writes the title.'),
  labels: z
    .array(z.string().trim().min(1).max(50).refine(isPlain, plain))
    .max(20)
    .optional()
    .describe('Labels to add to the pull request.'),
  dedupe: z
    .boolean()
    .optional()
    .describe(
      'Reject the request while another job with the same prompt and base branch is active. Defaults to the project setting, which is initially false.',
    ),
  questions: Questions.optional().describe(
    'If the agent needs an answer: `ask` completes the job with the question and the outcome `needs_input`; `fail` fails it with the code `needs_input`, for callers that cannot answer. Defaults to the project setting, which is initially `ask`.',
  ),
  metadata: JobMetadata.optional(),
  sources: JobSources.optional().describe(
    'Sources of the project that the agent may read, together with `docs`. By default, all sources of the project, each at its branch.',
  ),
})
export type JobRequest = z.infer<typeof JobRequest>

/**
 * Body of POST /v2/agent/{projectId}/job: the fields of a job, and a name of the hosted API for one
 * of them. Unknown fields are ignored.
 */
export const CreateAgentJobRequest = JobRequest.extend({
  asDraft: z
    .boolean()
    .optional()
    .describe('Alias of `draft`, as in the hosted API. If both are set, they must have the same value.'),
})
export type CreateAgentJobRequest = z.infer<typeof CreateAgentJobRequest>

/**
 * Job options stored for the worker: every request field that is not stored in a separate column.
 * Jobs can remain queued during an upgrade, so every value that an earlier version accepted must
 * remain valid. Rejects options of a newer version, which must not be ignored.
 */
export const JobOptions = JobRequest.omit({
  prompt: true,
  model: true,
  ref: true,
  dedupe: true,
  metadata: true,
}).strict()
export type JobOptions = ReturnType<typeof JobOptions.parse>

/**
 * Input for a new job from a form or the command line. All fields are required; an omitted value is
 * `undefined`.
 */
export type JobFields = {
  readonly [Field in keyof Required<JobRequest>]: JobRequest[Field] | undefined
} & Pick<JobRequest, 'prompt'>

/** The type without undefined values, also in nested objects. */
type Present<T> = T extends readonly (infer Item)[]
  ? Present<Item>[]
  : T extends object
    ? { [Field in keyof T]: Present<Exclude<T[Field], undefined>> }
    : T

/** Removes undefined values, so that the service's defaults apply. */
export function toJobRequest(fields: JobFields): Present<JobRequest> {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present) as Present<JobRequest>
}
