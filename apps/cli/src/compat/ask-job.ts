import { setTimeout as sleep } from 'node:timers/promises'
import { askServer, type CompatTarget, expectAnswer, Mismatch } from './ask-server.ts'
import type { CompatInput } from './compat-check.ts'
import { HostedJob } from './wire.ts'

export const toJobsPath = ({ projectId }: CompatTarget) => `/v2/agent/${projectId}/job`
export const createJob = (input: CompatInput, body: unknown, key?: string | null) =>
  askServer(input, { method: 'POST', path: toJobsPath(input), body, ...(key === undefined ? {} : { key }) })
export const readJob = (input: CompatInput, id: string, key?: string | null) =>
  askServer(input, { method: 'GET', path: `${toJobsPath(input)}/${id}`, ...(key === undefined ? {} : { key }) })

/** Creates a job and checks the response. */
export async function makeJob(input: CompatInput, options: object = {}): Promise<HostedJob> {
  const job = expectAnswer(await createJob(input, { prompt: input.prompt, ...options }), 201, HostedJob)
  assertNew(job)
  return job
}

function assertNew(job: HostedJob): void {
  if (job.status !== 'active') throw new Mismatch(`a new job is ${job.status}`)
  if (job.prLink !== null) throw new Mismatch('a new job has a prLink')
  if (job.archivedAt !== null) throw new Mismatch('a new job has an archivedAt')
}

export async function waitForEnd(input: CompatInput, created: HostedJob): Promise<HostedJob> {
  const deadline = Date.now() + input.jobMs
  for (;;) {
    const job = expectAnswer(await readJob(input, created.id), 200, HostedJob)
    for (const field of ['id', 'createdAt', 'model'] as const) {
      if (job[field] !== created[field]) throw new Mismatch(`"${field}" changed to ${job[field]}`)
    }
    if (job.source.repository !== created.source.repository) throw new Mismatch('"source.repository" changed')
    if (job.status === 'active' && job.prLink !== null) throw new Mismatch('an active job has a prLink')
    if (job.status !== 'active') return job
    if (Date.now() > deadline) throw new Mismatch(`the job is still active after ${input.jobMs / 1000} s`)
    await sleep(input.pollMs)
  }
}
