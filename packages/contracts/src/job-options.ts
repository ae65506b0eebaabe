import { CreateAgentJobRequest } from './agent-job.ts'

/**
 * What is stored with a job for the worker: every option that has no column of its own. Jobs that are queued during an
 * upgrade hold it, so a stricter rule must still accept what an earlier version accepted.
 */
export const JobOptions = CreateAgentJobRequest.omit({
  prompt: true,
  model: true,
  ref: true,
  dedupe: true,
  metadata: true,
})
export type JobOptions = ReturnType<typeof JobOptions.parse>

/** A form or a command line for a new job: all fields must be there, `undefined` when they are not given. */
export type JobFields = {
  readonly [Field in keyof Required<CreateAgentJobRequest>]: CreateAgentJobRequest[Field] | undefined
} & Pick<CreateAgentJobRequest, 'prompt'>

type Given<T> = { [Field in keyof T]: Exclude<T[Field], undefined> }

/** Leaves out what is not given, so that the service's defaults apply. */
export function toJobRequest(fields: JobFields): Given<CreateAgentJobRequest> {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given) as Given<CreateAgentJobRequest>
}
