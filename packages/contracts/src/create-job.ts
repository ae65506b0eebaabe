import { z } from 'zod'
import { JobMetadata } from './agent-job.ts'
import { BranchName } from './branch-name.ts'
import { isPlain, isStorable, plain, storable } from './text-rules.ts'

/** Longest accepted prompt, in UTF-16 code units as `String.length` counts them. */
export const MAX_PROMPT_LENGTH = 100_000

/**
 * Body of POST /v2/agent/{projectId}/job: the single definition of the options of a job. Unknown
 * fields are ignored. CONTRIBUTING.md lists the steps for a new field.
 */
export const CreateAgentJobRequest = z.object({
  prompt: z
    .string()
    .min(1)
    .max(MAX_PROMPT_LENGTH)
    .refine(isStorable, storable)
    .describe('The change to make, in one sentence or more.'),
  model: z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9._:/@-]{0,99}$/, 'is not a valid model id')
    .optional()
    .describe('Id of the model. The default is the model of the project or of the service.'),
  ref: BranchName.optional().describe('The branch to start from. The default is the base branch of the project.'),
  draft: z.boolean().optional().describe('Open the pull request as a draft.'),
  branch: BranchName.optional().describe(
    'Name of the new branch. The default is the branch prefix of the project and the job id.',
  ),
  title: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .refine(isPlain, plain)
    .optional()
    .describe('Title of the pull request. By default, the agent writes it.'),
  labels: z
    .array(z.string().trim().min(1).max(50).refine(isPlain, plain))
    .max(20)
    .optional()
    .describe('Labels of the pull request.'),
  dedupe: z
    .boolean()
    .optional()
    .describe(
      'Reject the request while another job with the same prompt works on the same base branch. The default is the setting of the project, which is initially false.',
    ),
  metadata: JobMetadata.optional(),
})
export type CreateAgentJobRequest = z.infer<typeof CreateAgentJobRequest>

/**
 * Options that are stored with a job for the worker: every field of the request without a separate
 * column. Jobs that are queued during an upgrade contain them, so a stricter rule must still accept
 * the values that an earlier version accepted.
 */
export const JobOptions = CreateAgentJobRequest.omit({
  prompt: true,
  model: true,
  ref: true,
  dedupe: true,
  metadata: true,
})
export type JobOptions = ReturnType<typeof JobOptions.parse>

/**
 * Input of a form or a command line for a new job. All fields are required; a missing value is
 * `undefined`.
 */
export type JobFields = {
  readonly [Field in keyof Required<CreateAgentJobRequest>]: CreateAgentJobRequest[Field] | undefined
} & Pick<CreateAgentJobRequest, 'prompt'>

type Present<T> = { [Field in keyof T]: Exclude<T[Field], undefined> }

/** Omits missing values, so that the defaults of the service apply. */
export function toJobRequest(fields: JobFields): Present<CreateAgentJobRequest> {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present) as Present<CreateAgentJobRequest>
}
