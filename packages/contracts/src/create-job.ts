import { z } from 'zod'
import { JOB_OPTION_FIELDS, JOB_OPTION_LIST, type JobOption, type JobOptionName } from './job-options.ts'
import { hasText, hasWords, isStorable, notBlank, storable, words } from './text-rules.ts'

/**
 * Maximum prompt length in UTF-16 code units, as counted by `String.length`. The limit of the
 * request body, 1 MiB, also applies.
 */
export const MAX_PROMPT_LENGTH = 1_048_576

/** The fields of a new job: the prompt, and the options in `JOB_OPTIONS`. */
export const JobRequest = z.object({
  prompt: z
    .string()
    .min(1)
    .max(MAX_PROMPT_LENGTH)
    .refine(isStorable, storable)
    .refine(hasText, notBlank)
    .refine(hasWords, words)
    .describe('The change to make, in one sentence or more.'),
  ...JOB_OPTION_FIELDS,
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

/** The type without undefined values, also in nested objects. */
type Present<T> = T extends readonly (infer Item)[]
  ? Present<Item>[]
  : T extends object
    ? { [Field in keyof T]: Present<Exclude<T[Field], undefined>> }
    : T

/**
 * Builds a request from the values in a form, or on a command line.
 * @param findValue returns an option's value, or undefined so that the service's default applies
 */
export function toJobRequest(
  prompt: string,
  findValue: (name: JobOptionName, option: JobOption) => unknown,
): Present<JobRequest> {
  const values = JOB_OPTION_LIST.map(([name, option]) => [name, findValue(name, option)] as const)
  return { prompt, ...Object.fromEntries(values.filter(([, value]) => value !== undefined)) }
}

/** Body of POST /v2/agent/{projectId}/job/{id}/message. Unknown fields are ignored. */
export const SendMessageRequest = z.object({ prompt: JobRequest.shape.prompt })
export type SendMessageRequest = z.infer<typeof SendMessageRequest>
