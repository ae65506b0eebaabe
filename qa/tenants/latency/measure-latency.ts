import { openDatabase } from '@corrigenda/core/db'
import { type AcmeProject, askWithKey, toAgentPath } from '../acme/acme.ts'
import { createJob, toId } from '../acme/work-job.ts'
import { INTRUDER_ADDRESSES, type Intruder } from '../intruder/intruder.ts'
import { expectStatus } from '../stack/open-account.ts'
import type { Answer } from '../stack/send.ts'
import type { FloodCounts } from './flood.ts'
import { openFlood } from './open-flood.ts'

const KINDS = ['poll', 'list', 'create'] as const
type Kind = (typeof KINDS)[number]
type Times = Record<Kind, number[]>

export interface LatencyResult {
  /** The tenant's p99 during the flood, divided by its p99 without, by kind of request. */
  readonly ratios: Readonly<Record<Kind, number>>
  readonly lines: readonly string[]
  /** Requests of the tenant that did not succeed. */
  readonly violations: readonly string[]
}

/** Number of ended jobs of the intruder, so that its lists and searches are costly. */
const HISTORY = 3_000
/** Pause between two requests of the tenant. */
const PAUSE_MS = 20
/** Interval between creations, within the tenant's quota. */
const CREATE_EVERY_MS = 750
const SETTLE_MS = 1_000

/**
 * Measures the latencies of the tenant in alternating windows, without and with a flood of requests
 * with the intruder's key. The workers are stopped, because they would compete for the processors.
 */
export async function measureLatency(
  { acme, intruder }: { acme: AcmeProject; intruder: Intruder },
  { windows, seconds }: { windows: number; seconds: number },
): Promise<LatencyResult> {
  const { stack, project, keys } = intruder
  for (const [name, running] of stack.processes) if (name !== 'api') await running.stop()
  const target = toId(await createJob(acme, { prompt: 'Wait.' }))
  const made = await stack.send({
    method: 'POST',
    path: `/v2/agent/${project.id}/job`,
    body: { prompt: 'Wait.' },
    key: keys.all,
    from: INTRUDER_ADDRESSES[0] ?? '',
  })
  const jobId: string = expectStatus(made, 201).id
  await addHistory(stack.databaseUrl, jobId)
  const [from = ''] = INTRUDER_ADDRESSES
  const flood = await openFlood({ url: stack.url, from, projectId: project.id, key: keys.all, jobId })
  const violations: string[] = []
  const [quiet, loud]: [Times, Times] = [
    { poll: [], list: [], create: [] },
    { poll: [], list: [], create: [] },
  ]
  const counts: FloodCounts = {}
  try {
    // Warms up.
    await measure(acme, target, SETTLE_MS, { poll: [], list: [], create: [] }, violations)
    for (let window = 0; window < windows; window += 1) {
      await measure(acme, target, seconds * 1_000, quiet, violations)
      flood.start()
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
      await measure(acme, target, seconds * 1_000, loud, violations)
      add(counts, await flood.stop())
      await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
    }
  } finally {
    flood.close()
  }
  const ratios = Object.fromEntries(KINDS.map((kind) => [kind, at(loud[kind], 0.99) / at(quiet[kind], 0.99)]))
  const lines = KINDS.map((kind) => {
    const describe = (times: readonly number[]) =>
      `p50 ${at(times, 0.5).toFixed(1)} ms, p99 ${at(times, 0.99).toFixed(1)} ms (${times.length})`
    return `${kind}: quiet ${describe(quiet[kind])}; flooded ${describe(loud[kind])}; p99 ratio ${ratios[kind]?.toFixed(1)}`
  })
  return { ratios: ratios as Record<Kind, number>, lines: [...lines, `flood: ${JSON.stringify(counts)}`], violations }
}

async function measure(acme: AcmeProject, id: string, ms: number, times: Times, violations: string[]): Promise<void> {
  const end = Date.now() + ms
  let created = 0
  const time = async (kind: Kind, send: () => Promise<Answer>) => {
    const start = performance.now()
    const { status, text } = await send()
    times[kind].push(performance.now() - start)
    if (status >= 300) violations.push(`${kind} of the tenant: ${status} ${text}`)
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
  while (Date.now() < end) {
    await time('poll', () => askWithKey(acme, { path: `${toAgentPath(acme)}/job/${id}` }))
    await time('list', () => askWithKey(acme, { path: `${toAgentPath(acme)}/jobs` }))
    if (Date.now() - created < CREATE_EVERY_MS) continue
    created = Date.now()
    await time('create', () => createJob(acme, { prompt: 'Wait.' }))
  }
}

/** Adds copies of a job to its project, as if they had ended before. */
async function addHistory(url: string, jobId: string): Promise<void> {
  const database = openDatabase({ url, maxConnections: 1, onError: () => {} })
  const ago = (table: string) => `${table}.created_at - make_interval(hours => 2, secs => n)`
  try {
    // Disables triggers.
    await database.pool.query('SET session_replication_role = replica')
    await database.pool.query(
      `INSERT INTO jobs SELECT filled.* FROM jobs, generate_series(1, $2::int) n, jsonb_populate_record(jobs, jsonb_build_object(
        'id', 'job_' || lpad(n::text, 26, '0'), 'status', 'failed', 'phase', null, 'outcome', 'cancelled', 'failure_code', 'cancelled',
        'failure_message', 'Cancelled.', 'created_at', ${ago('jobs')}, 'finished_at', now())) filled
       WHERE jobs.id = $1`,
      [jobId, HISTORY],
    )
    await database.pool.query(
      `INSERT INTO runs SELECT filled.* FROM runs, generate_series(1, $2::int) n, jsonb_populate_record(runs, jsonb_build_object(
        'id', 'run_' || lpad(n::text, 26, '0'), 'job_id', 'job_' || lpad(n::text, 26, '0'), 'active', false, 'ended_at', now(),
        'prompt', repeat('Lorem ipsum dolor ', 200), 'created_at', ${ago('runs')})) filled
       WHERE runs.job_id = $1`,
      [jobId, HISTORY],
    )
    await database.pool.query('ANALYZE jobs, runs')
  } finally {
    await database.close()
  }
}

function at(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function add(total: FloodCounts, counts: FloodCounts): void {
  for (const [kind, statuses] of Object.entries(counts)) {
    const ofKind = total[kind] ?? {}
    for (const [status, count] of Object.entries(statuses))
      ofKind[Number(status)] = (ofKind[Number(status)] ?? 0) + count
    total[kind] = ofKind
  }
}
