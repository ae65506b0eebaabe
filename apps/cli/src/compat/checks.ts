import { setTimeout as sleep } from 'node:timers/promises'
import { askServer, type CompatTarget, expectAnswer, Mismatch } from './ask-server.ts'
import { HostedError, HostedJob, HostedUpdate, HostedUpdateStatus } from './wire.ts'

export interface CompatInput extends CompatTarget {
  /** Prompt for the jobs. The suite creates five jobs and a follow-up. */
  readonly prompt: string
  /** Time limit for each job, in ms. */
  readonly jobMs: number
  /** Polling interval for a job, in ms. */
  readonly pollMs: number
  /**
   * Creates jobs until the project reaches its hourly limit. This check runs last, because no job
   * can be created afterwards.
   */
  readonly exhaustQuota: boolean
}

export interface CompatCheck {
  readonly name: string
  /** @throws Mismatch if the server deviates from the contract; Skipped if the check cannot run */
  readonly run: (input: CompatInput) => Promise<void>
}

/** Thrown to skip a check. The message states the reason. */
export class Skipped extends Error {}

const jobs = ({ projectId }: CompatTarget) => `/v2/agent/${projectId}/job`
const create = (input: CompatInput, body: unknown, key?: string | null) =>
  askServer(input, { method: 'POST', path: jobs(input), body, ...(key === undefined ? {} : { key }) })
const read = (input: CompatInput, id: string, key?: string | null) =>
  askServer(input, { method: 'GET', path: `${jobs(input)}/${id}`, ...(key === undefined ? {} : { key }) })

/** Number of jobs that the hosted API accepts per project per hour. */
const HOURLY = 100

/**
 * Checks for the client-observable part of the hosted v2 agent API's public contract, in execution
 * order.
 */
export const COMPAT_CHECKS: readonly CompatCheck[] = [
  {
    name: 'a prompt returns 201 and an active job without a link',
    async run(input) {
      assertNew(expectAnswer(await create(input, { prompt: input.prompt }), 201, HostedJob))
    },
  },
  {
    name: 'unknown request fields are ignored',
    async run(input) {
      const body = { prompt: input.prompt, unknownField: { nested: [1, null] }, asDraftPlease: true }
      assertNew(expectAnswer(await create(input, body), 201, HostedJob))
    },
  },
  ...(
    [
      ['no prompt', {}],
      ['an empty prompt', { prompt: '' }],
      ['a prompt that is not a string', { prompt: 42 }],
      ['an array', []],
      ['invalid JSON', '{"prompt": '],
    ] as const
  ).map(
    ([what, body]): CompatCheck => ({
      name: `${what} returns 400 and an error`,
      async run(input) {
        expectAnswer(await create(input, body), 400, HostedError)
      },
    }),
  ),
  {
    name: 'a request without a key or with an invalid key returns 401 and an error',
    async run(input) {
      expectAnswer(await create(input, { prompt: input.prompt }, null), 401, HostedError)
      expectAnswer(await create(input, { prompt: input.prompt }, 'not_a_key'), 401, HostedError)
      expectAnswer(await read(input, 'job', null), 401, HostedError)
    },
  },
  {
    name: 'an unknown job returns 404 and an error',
    async run(input) {
      expectAnswer(await read(input, 'no-such-job'), 404, HostedError)
    },
  },
  {
    name: 'a polled job keeps its identity until it ends and has no link while it is active',
    async run(input) {
      const created = expectAnswer(await create(input, { prompt: input.prompt }), 201, HostedJob)
      const ended = await waitForEnd(input, created)
      if (ended.status === 'archived' && ended.archivedAt === null)
        throw new Mismatch('an archived job has no archivedAt')
      if (ended.status !== 'archived' && ended.archivedAt !== null)
        throw new Mismatch('a job that is not archived has an archivedAt')
    },
  },
  {
    name: 'a job is also readable under /api/agent/v2/',
    async run(input) {
      const { id } = expectAnswer(await create(input, { prompt: input.prompt }), 201, HostedJob)
      const path = `/api/agent/v2/${input.projectId}/job/${id}`
      const response = await askServer(input, { method: 'GET', path })
      if (response.status === 404) throw new Skipped('the server does not have these paths')
      const job = expectAnswer(response, 200, HostedJob)
      if (job.id !== id) throw new Mismatch(`the response for job ${id} contains job ${job.id}`)
      expectAnswer(await askServer(input, { method: 'GET', path: `${path}-no-such-job` }), 404, HostedError)
    },
  },
  {
    name: 'a follow-up returns 200 and the job; an empty prompt returns 400; an unknown job returns 404',
    async run(input) {
      const created = expectAnswer(await create(input, { prompt: input.prompt }), 201, HostedJob)
      await waitForEnd(input, created)
      const send = (id: string, body: unknown) =>
        askServer(input, { method: 'POST', path: `${jobs(input)}/${id}/message`, body })
      expectAnswer(await send(created.id, { prompt: '' }), 400, HostedError)
      expectAnswer(await send('no-such-job', { prompt: input.prompt }), 404, HostedError)
      const job = expectAnswer(await send(created.id, { prompt: input.prompt }), 200, HostedJob)
      if (job.id !== created.id)
        throw new Mismatch(`the response to a follow-up on ${created.id} contains job ${job.id}`)
      if (job.status === 'active' && job.prLink !== null) throw new Mismatch('an active job has a prLink')
      await waitForEnd(input, created)
    },
  },
  {
    name: 'an update returns 202 and a readable status ID; an unknown ID returns 404',
    async run(input) {
      const path = `/v1/project/update/${input.projectId}`
      expectAnswer(
        await askServer(input, { method: 'GET', path: '/v1/project/update-status/no-such-update' }),
        404,
        HostedError,
      )
      const response = await askServer(input, { method: 'POST', path })
      if (response.status === 409 || response.status === 403) {
        throw new Skipped(`the server rejects deployments of this project with this key (${response.status})`)
      }
      const { statusId } = expectAnswer(response, 202, HostedUpdate)
      const status = await askServer(input, { method: 'GET', path: `/v1/project/update-status/${statusId}` })
      const update = expectAnswer(status, 200, HostedUpdateStatus)
      if (update._id !== statusId)
        throw new Mismatch(`the response for update ${statusId} contains update ${update._id}`)
    },
  },
  {
    name: `creating more than ${HOURLY} jobs in an hour returns 429 and an error`,
    async run(input) {
      if (!input.exhaustQuota) throw new Skipped("exhausts the project's hourly limit; enable it with --exhaust-quota")
      for (let n = 0; n <= HOURLY; n += 1) {
        const response = await create(input, { prompt: input.prompt })
        if (response.status === 201) continue
        expectAnswer(response, 429, HostedError)
        return
      }
      throw new Mismatch(`accepted ${HOURLY + 1} jobs within one hour`)
    },
  },
]

function assertNew(job: HostedJob): void {
  if (job.status !== 'active') throw new Mismatch(`a new job is ${job.status}`)
  if (job.prLink !== null) throw new Mismatch('a new job has a prLink')
  if (job.archivedAt !== null) throw new Mismatch('a new job has an archivedAt')
}

async function waitForEnd(input: CompatInput, created: HostedJob): Promise<HostedJob> {
  const deadline = Date.now() + input.jobMs
  for (;;) {
    const job = expectAnswer(await read(input, created.id), 200, HostedJob)
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
