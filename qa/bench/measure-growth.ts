import { claimRun, finishRun } from '@corrigenda/core/runs'
import pg from 'pg'
import { type BenchProject, type BenchService, openService } from './open-service.ts'

const [SMALL, LARGE] = [1_000, 100_000]
/** Jobs that are no copies. */
const OWN_JOBS = 20
const WARM_UPS = 20
const SAMPLES = 100
const LEASE = { owner: 'bench', leaseSeconds: 20 }
const RULES = { owner: 'bench', leaseSeconds: 20, maxAttempts: 10, projectConcurrency: 20 }

/** Compares polls, lists and claims in a project with 100,000 jobs with those in one with 1,000. */
export async function measureGrowth(print: (line: string) => void): Promise<void> {
  const sides: BenchService[] = []
  try {
    for (const jobs of [SMALL, LARGE]) sides.push(await openFilled(jobs))
    print(`median in ms with ${SMALL} and with ${LARGE} jobs:`)
    for (const [name, run] of Object.entries(OPERATIONS)) {
      const times = sides.map((): number[] => [])
      // In turns, so that other load on the machine affects both.
      for (let n = 0; n < WARM_UPS + SAMPLES; n += 1) {
        for (const [at, side] of sides.entries()) {
          const ms = await run(side, n)
          if (n >= WARM_UPS) times[at]?.push(ms)
        }
      }
      const [small = 0, large = 0] = times.map((all) => all.sort((a, b) => a - b)[SAMPLES >> 1] ?? 0)
      const ratio = (large / small).toFixed(2)
      print(`${name.padEnd(22)} ${small.toFixed(2).padStart(6)} ${large.toFixed(2).padStart(6)}, ratio ${ratio}`)
    }
  } finally {
    for (const side of sides) await side.close()
  }
}

/** Operations that return their duration in ms. */
const OPERATIONS: Readonly<Record<string, (side: BenchService, n: number) => Promise<number>>> = {
  poll: ({ api, projects }, n) => time(api, projects[0], `job/${projects[0]?.jobs[n % OWN_JOBS]}`),
  list: ({ api, projects }) => time(api, projects[0], 'jobs?limit=20'),
  'list, rare status': ({ api, projects }) => time(api, projects[0], 'jobs?limit=20&status=failed'),
  claim: async (side) => (await work(side)).claimMs,
}

async function time(api: URL, project: BenchProject | undefined, route: string): Promise<number> {
  const headers = { authorization: `Bearer ${project?.key}` }
  const start = performance.now()
  const response = await fetch(new URL(`/v2/agent/${project?.id}/${route}`, api), { headers })
  await response.text()
  if (!response.ok) throw new Error(`${route}: ${response.status}`)
  return performance.now() - start
}

/** Opens a service with one project, most of whose jobs are copies of one. */
async function openFilled(jobs: number): Promise<BenchService> {
  const service = await openService({ projects: 1, jobs: OWN_JOBS })
  const client = new pg.Client({ connectionString: service.databaseUrl })
  try {
    await client.connect()
    const { id } = await work(service)
    await copyJob(client, id, jobs - OWN_JOBS)
    return service
  } catch (error) {
    await service.close()
    throw error
  } finally {
    await client.end()
  }
}

/** Creates a job, claims its run, and ends it. Returns its id, and the duration of the claim in ms. */
async function work({ deps, projects, addJob }: BenchService): Promise<{ id: string; claimMs: number }> {
  const id = await addJob(projects[0]?.id ?? '')
  const start = performance.now()
  const claim = await claimRun({ prisma: deps.prisma, ...RULES }, LEASE)
  const claimMs = performance.now() - start
  if (claim === null) throw new Error('There is no run to claim.')
  await finishRun(deps, claim, { kind: 'no_changes', summary: 'Nothing to change.', checks: [] })
  return { id, claimMs }
}

/** Adds copies of an ended job, with its run and its events, as older jobs of its project. */
async function copyJob(client: pg.Client, id: string, count: number): Promise<void> {
  const copyId = (kind: string) => `'${kind}_' || lpad(n::text, 26, '0')`
  const copy = (table: string, key: string, changes: string) =>
    client.query(
      `INSERT INTO ${table} SELECT copy.* FROM ${table} t, generate_series(1, $2::int) n,
         jsonb_populate_record(t, jsonb_build_object(${changes},
           'created_at', t.created_at - make_interval(secs => n))) copy
       WHERE t.${key} = $1`,
      [id, count],
    )
  // Disables triggers and foreign keys.
  await client.query('SET session_replication_role = replica')
  await copy('jobs', 'id', `'id', ${copyId('job')}`)
  await copy('runs', 'job_id', `'id', ${copyId('run')}, 'job_id', ${copyId('job')}`)
  await copy('job_events', 'job_id', `'job_id', ${copyId('job')}`)
  await client.query('VACUUM ANALYZE')
}
