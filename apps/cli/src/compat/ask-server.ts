import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import { HostedJob } from './wire.ts'

/** Thrown to skip a check. The message states the reason. */
export class Skipped extends Error {}

/** The server under test. */
export interface CompatTarget {
  /** Base URL without a trailing slash. */
  readonly url: string
  readonly apiKey: string
  readonly projectId: string
}

export interface Answer {
  readonly status: number
  readonly type: string
  readonly headers: Headers
  readonly text: string
  /** The parsed text; undefined if it is not JSON. */
  readonly body: unknown
}

const LIMIT_MS = 30_000

/**
 * Sends one request to the server.
 * @param options.key the key to send instead of the target's; null sends no key
 * @param options.limitMs time limit for the whole response
 */
export async function askServer(
  target: CompatTarget,
  options: { method: 'GET' | 'POST'; path: string; body?: unknown; key?: string | null; limitMs?: number },
): Promise<Answer> {
  const { method, path, body, key = target.apiKey, limitMs = LIMIT_MS } = options
  const response = await fetch(`${target.url}${path}`, {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(limitMs),
  })
  const text = await response.text()
  const { status, headers } = response
  return { status, type: headers.get('content-type') ?? '', headers, text, body: toJson(text) }
}

/** A deviation from the contract. The message names the field or the status. */
export class Mismatch extends Error {}

/**
 * Checks a response and returns its body.
 * @throws Mismatch unless the response has this status, is JSON and matches the schema
 */
export function expectAnswer<T>(answer: Answer, status: number, schema: z.ZodType<T>): T {
  if (answer.status !== status)
    throw new Mismatch(`returned status ${answer.status} instead of ${status}: ${show(answer.body)}`)
  if (!/^application\/json\b/i.test(answer.type)) throw new Mismatch(`returned "${answer.type}" instead of JSON`)
  const parsed = schema.safeParse(answer.body)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Mismatch(`"${issue?.path.join('.')}" does not match the schema: ${issue?.message}, in ${show(answer.body)}`)
}

const show = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 300)

/** Returns undefined if the text is not JSON. */
function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export interface CompatInput extends CompatTarget {
  /** Prompt for the jobs. The suite creates eight jobs and a follow-up. */
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
