import { expect, onTestFinished, test, vi } from 'vitest'
import { describeAnswers } from './test-support/describe-answers.ts'
import { occupyCores } from './test-support/occupy-cores.ts'
import { type Answer, type Apis, openApis } from './test-support/open-apis.ts'

const LIMIT = 100

// Covers busy machines.
vi.setConfig({ testTimeout: 600_000 })

/** Sends creates without Idempotency-Keys in parallel, and counts the project's jobs afterwards. */
async function createInParallel(apis: Apis, name: string, count: number) {
  const project = await apis.createProject()
  const send = (n: number) => apis.create(n, project, { prompt: `Fix page ${n}.` })
  const answers = await Promise.all(Array.from({ length: count }, (_, n) => send(n)))
  console.info(describeAnswers(name, answers))
  const rows = await apis.query<{ id: string }>('SELECT id FROM jobs WHERE project_id = $1', [project.id])
  return { answers, jobs: rows.map(({ id }) => id) }
}

const idsOf = (answers: readonly Answer[]) =>
  answers.filter(({ status }) => status === 201).map(({ body }) => JSON.parse(body).id as string)

test('of parallel creates, exactly as many as the limit are accepted, and all others get 429', async () => {
  const apis = await openApis()
  const check = async (name: string, count: number) => {
    const { answers, jobs } = await createInParallel(apis, name, count)
    expect(answers.filter(({ status }) => status !== 201 && status !== 429)).toEqual([])
    expect(idsOf(answers).sort()).toEqual(jobs.sort())
    expect(jobs).toHaveLength(LIMIT)
  }
  await check('first 150 creates', 150)
  await check('150 creates', 150)
  await check('300 creates', 300)
  occupyCores()
  await check('150 creates on a busy machine', 150)
  await check('300 creates on a busy machine', 300)
  expect(apis.logEntries().filter(({ msg }) => msg === 'database unreachable')).toEqual([])
})

test('parallel creates with one Idempotency-Key create one job and return the same bytes', async () => {
  const apis = await openApis()
  const project = await apis.createProject()
  const input = { prompt: 'Fix the typo.', idempotencyKey: 'same' }
  const createUntilAccepted = async (n: number): Promise<Answer> => {
    const answer = await apis.create(n, project, input)
    if (answer.code !== 'idempotency_in_flight') return answer
    return createUntilAccepted(n + 1)
  }
  const answers = await Promise.all(Array.from({ length: 25 }, (_, n) => createUntilAccepted(n)))
  console.info(describeAnswers('25 creates with one key', answers))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
  expect(new Set(answers.map(({ body }) => body)).size).toBe(1)
  const jobs = await apis.query('SELECT id FROM jobs WHERE project_id = $1', [project.id])
  expect(jobs).toEqual([{ id: JSON.parse(answers[0]?.body ?? '').id }])
})

/** Codes of responses that say that the request was not processed. */
const CERTAIN = new Set(['service_unavailable', 'too_many_requests'])

test.each(['stop', 'crash'] as const)('no response is wrong about a job when Postgres restarts: %s', async (how) => {
  const apis = await openApis({ JOB_RATE_LIMIT: '1000000', CALLER_RATE_LIMIT: '1000000', EDGE_RATE_LIMIT: '1000000' })
  const project = await apis.createProject()
  const answers = new Map<string, Answer>()
  let isSending = true
  onTestFinished(() => {
    isSending = false
  })
  const sendOnce = async (client: number) => {
    for (let n = 0; isSending; n += 1) {
      const idempotencyKey = `${client}-${n}`
      const answer = await apis.create(client, project, { prompt: idempotencyKey, idempotencyKey })
      answers.set(idempotencyKey, answer)
      // During the outage, responses are immediate.
      if (answer.status !== 201) await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const clients = Array.from({ length: 30 }, (_, client) => sendOnce(client))
  for (let round = 1; round <= 3; round += 1) {
    const reached = answers.size + 100
    await expect.poll(() => answers.size, { timeout: 60_000 }).toBeGreaterThan(reached)
    await apis.restartPostgres(how)
    await apis.waitUntilReady()
  }
  isSending = false
  await Promise.all(clients)
  console.info(describeAnswers(`creates while Postgres restarts (${how})`, [...answers.values()]))

  const readJobs = async () => {
    const rows = await apis.query<{ prompt: string; job_id: string }>(
      'SELECT prompt, job_id FROM runs WHERE project_id = $1',
      [project.id],
    )
    const jobs = new Map(rows.map(({ prompt, job_id }) => [prompt, job_id]))
    expect(rows).toHaveLength(jobs.size)
    return jobs
  }
  const before = await readJobs()
  const wrong = [...answers].filter(([key, { status, code, body }]) => {
    if (status === 201) return before.get(key) !== JSON.parse(body).id
    return CERTAIN.has(code ?? '') ? before.has(key) : code !== 'outcome_unknown'
  })
  expect(wrong).toEqual([])
  const reasons = new Map<unknown, unknown>()
  for (const { requestId, level, code, reason } of apis.logEntries()) {
    if ((level === 'warn' || level === 'error') && reason !== undefined) reasons.set(requestId, `${code}: ${reason}`)
  }
  const refused = [...answers.values()].filter(({ status }) => status >= 500)
  expect(refused.length).toBeGreaterThan(0)
  for (const { requestId, code } of refused) expect(reasons.get(requestId)).toMatch(new RegExp(`^${code}: .`))

  // A caller that repeats every request with its key gets the one job of the key.
  for (const [key, answer] of answers) {
    if (answer.status === 201) continue
    const again = await apis.create(0, project, { prompt: key, idempotencyKey: key })
    expect(again.status).toBe(201)
    answers.set(key, again)
  }
  const after = await readJobs()
  expect([...after].sort()).toEqual([...answers].map(([key, { body }]) => [key, JSON.parse(body).id]).sort())
})
