import { scriptPrompt } from '@corrigenda/testkit'
import type { BenchProject, BenchStack } from './open-bench-stack.ts'

export interface JobsInput {
  /** Each client uses one of the projects, in turns. */
  readonly projects: readonly BenchProject[]
  /** Number of jobs of each client. */
  readonly rounds: number
  /** Number of jobs in progress at a time. */
  readonly clients: number
  /** Moves the base branch before each job. */
  readonly moves: boolean
  /** Delay between the first jobs of two clients, in ms. Default: 0. */
  readonly staggerMs?: number
  /** Duration of each model response, in ms. */
  readonly delayMs: number
}

let made = 0

/**
 * Creates jobs that change one page each, and reads each of them once after its end.
 * @returns the mean duration of a job in ms, when all have completed
 */
export async function runJobs(stack: BenchStack, input: JobsInput): Promise<number> {
  const durations: number[] = []
  const ends = await watchEnds(stack)
  const work = async (_: unknown, client: number) => {
    const project = input.projects[client % input.projects.length]
    if (project === undefined) throw new Error('The benchmark has no project.')
    await new Promise((resolve) => setTimeout(resolve, client * (input.staggerMs ?? 0)))
    for (let round = 0; round < input.rounds; round += 1) {
      if (input.moves) project.origin.moveOn()
      const startedAt = performance.now()
      const id = await createJob(stack, project, input.delayMs)
      await ends.when(id)
      durations.push(performance.now() - startedAt)
      const job = await ask(stack, project, `/job/${id}`)
      if (job.status !== 'completed') throw new Error(`A job failed: ${JSON.stringify(job)}`)
    }
  }
  await Promise.all(Array.from({ length: input.clients }, work))
  await ends.close()
  return durations.reduce((sum, ms) => sum + ms, 0) / durations.length
}

async function createJob(stack: BenchStack, project: BenchProject, delayMs: number): Promise<string> {
  const number = ++made
  const page = (number * 131) % project.files
  const path = project.origin.paths[page] ?? ''
  const edit = { path, old_str: `title: Page ${page}\n`, new_str: `title: Page ${page}, edited by job ${number}\n` }
  const delay = { delay: delayMs }
  const turns = [
    [delay, { tool: 'view', input: { path } }],
    [delay, { tool: 'edit', input: edit }],
  ]
  const prompt = scriptPrompt(`Change the title of page ${page}.`, turns, { id: `job-${number}` })
  return (await ask(stack, project, '/job', { prompt })).id as string
}

async function ask({ url }: BenchStack, project: BenchProject, route: string, body?: object) {
  const response = await fetch(`${url}/v2/agent/${project.id}${route}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${project.key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`The API responded with ${response.status}: ${text}`)
  return JSON.parse(text) as Record<string, unknown>
}

/** Waits for jobs without polling, so that the measurement adds no statements. */
async function watchEnds({ database }: BenchStack) {
  const ended = new Set<string>()
  const waiting = new Map<string, () => void>()
  const check = async (id: string) => {
    if (ended.has(id)) return
    const { rows } = await database.query('SELECT 1 FROM jobs WHERE id = $1 AND phase IS NULL', [id])
    if (rows.length === 0) return
    ended.add(id)
    waiting.get(id)?.()
  }
  // One at a time, because they share a connection.
  let checks = Promise.resolve()
  const onNotification = ({ payload = '' }: { payload?: string | undefined }) => {
    checks = checks.then(() => check(payload.split(' ')[0] ?? ''))
  }
  database.on('notification', onNotification)
  await database.query('LISTEN corrigenda_job_events')
  return {
    when: (id: string) =>
      ended.has(id) ? Promise.resolve() : new Promise<void>((resolve) => waiting.set(id, resolve)),
    async close() {
      await checks
      await database.query('UNLISTEN corrigenda_job_events')
      database.off('notification', onNotification)
    },
  }
}
