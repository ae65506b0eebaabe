import {
  askServer,
  type CompatCheck,
  createJob,
  expectAnswer,
  Mismatch,
  makeJob,
  readJob,
  Skipped,
  toJobsPath,
  waitForEnd,
} from './ask-server.ts'
import { HostedError, HostedJob } from './wire.ts'

/** Length of a prompt that contains the diff of a large change. */
const LONG = 300_000

/** Checks for the job endpoints of version 2. */
export const JOB_CHECKS: readonly CompatCheck[] = [
  {
    name: 'a prompt returns 201 and an active job without a link',
    async run(input) {
      await makeJob(input)
    },
  },
  {
    name: 'unknown request fields are ignored',
    async run(input) {
      await makeJob(input, { unknownField: { nested: [1, null] }, asDraftPlease: true })
    },
  },
  {
    name: 'the fields asDraft and model of version 1 are accepted',
    async run(input) {
      await makeJob(input, { asDraft: true, model: 'sonnet' })
    },
  },
  {
    name: `a prompt with ${LONG} characters is accepted`,
    async run(input) {
      await makeJob(input, { prompt: input.prompt.padEnd(LONG, '\n') })
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
        expectAnswer(await createJob(input, body), 400, HostedError)
      },
    }),
  ),
  {
    name: 'a request without a key or with an invalid key returns 401 and an error',
    async run(input) {
      expectAnswer(await createJob(input, { prompt: input.prompt }, null), 401, HostedError)
      expectAnswer(await createJob(input, { prompt: input.prompt }, 'not_a_key'), 401, HostedError)
      expectAnswer(await readJob(input, 'job', null), 401, HostedError)
    },
  },
  {
    name: 'an unknown job returns 404 and an error',
    async run(input) {
      expectAnswer(await readJob(input, 'no-such-job'), 404, HostedError)
    },
  },
  {
    name: 'a polled job keeps its identity until it ends and has no link while it is active',
    async run(input) {
      const ended = await waitForEnd(input, await makeJob(input))
      if (ended.status === 'archived' && ended.archivedAt === null)
        throw new Mismatch('an archived job has no archivedAt')
      if (ended.status !== 'archived' && ended.archivedAt !== null)
        throw new Mismatch('a job that is not archived has an archivedAt')
    },
  },
  {
    name: 'a job is also readable under /api/agent/v2/',
    async run(input) {
      const { id } = await makeJob(input)
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
      const created = await makeJob(input)
      await waitForEnd(input, created)
      const send = (id: string, body: unknown) =>
        askServer(input, { method: 'POST', path: `${toJobsPath(input)}/${id}/message`, body })
      expectAnswer(await send(created.id, { prompt: '' }), 400, HostedError)
      expectAnswer(await send('no-such-job', { prompt: input.prompt }), 404, HostedError)
      const job = expectAnswer(await send(created.id, { prompt: input.prompt }), 200, HostedJob)
      if (job.id !== created.id)
        throw new Mismatch(`the response to a follow-up on ${created.id} contains job ${job.id}`)
      if (job.status === 'active' && job.prLink !== null) throw new Mismatch('an active job has a prLink')
      await waitForEnd(input, created)
    },
  },
]
