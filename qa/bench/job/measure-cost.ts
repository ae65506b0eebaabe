import { type BenchProject, type BenchStack, ROLES, type ServiceName } from './open-bench-stack.ts'
import { readCpuMs } from './read-cpu.ts'
import { runGitJobs } from './run-git-jobs.ts'
import { runJobs } from './run-jobs.ts'

export interface StatementCount {
  readonly service: ServiceName
  readonly query: string
  readonly calls: number
}

/** The cost of one job. */
export interface JobCost {
  readonly files: number
  readonly workerCpuMs: number
  readonly apiCpuMs: number
  readonly postgresCpuMs: number
  /** Null if the queue runs on Postgres. */
  readonly redisCpuMs: number | null
  /** The Git command line with the same change. */
  readonly gitCpuMs: number
  readonly statements: Readonly<Record<ServiceName, number>>
  readonly roundTrips: Readonly<Record<ServiceName, number>>
  readonly walBytes: number
  readonly list: readonly StatementCount[]
}

/** Jobs in progress at a time, which keep the worker busy. */
export const CLIENTS = 4

/** Runs jobs, and the Git command line before and after them, and divides the costs by the number of jobs. */
export async function measureCost(
  stack: BenchStack,
  input: { project: BenchProject; rounds: number; workerPid: number },
): Promise<JobCost> {
  const { project, rounds, workerPid } = input
  const jobs = rounds * CLIENTS
  const { database, pids, roundTrips, workDir } = stack
  const half = Math.ceil(jobs / 4)
  const gitBefore = await runGitJobs({ project, count: half, workDir, name: 'before' })
  const read = async () => {
    const { rows } = await database.query<{ wal: string }>(
      `SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::text AS wal`,
    )
    return {
      workerCpuMs: readCpuMs(workerPid),
      apiCpuMs: readCpuMs(pids.api),
      postgresCpuMs: readCpuMs(pids.postgres),
      redisCpuMs: pids.redis === null ? 0 : readCpuMs(pids.redis),
      walBytes: Number(rows[0]?.wal),
      api: roundTrips.api.count(),
      worker: roundTrips.worker.count(),
    }
  }
  await database.query('SELECT pg_stat_statements_reset()')
  const before = await read()
  await runJobs(stack, { projects: [project], rounds, moves: true, clients: CLIENTS, delayMs: 0 })
  const after = await read()
  const list = await listStatements(stack)
  const gitAfter = await runGitJobs({ project, count: half, workDir, name: 'after' })
  const perJob = (name: keyof typeof before) => (after[name] - before[name]) / jobs
  const count = (service: ServiceName) =>
    list.filter((one) => one.service === service).reduce((sum, { calls }) => sum + calls, 0) / jobs
  return {
    files: project.files,
    workerCpuMs: perJob('workerCpuMs'),
    apiCpuMs: perJob('apiCpuMs'),
    postgresCpuMs: perJob('postgresCpuMs'),
    redisCpuMs: pids.redis === null ? null : perJob('redisCpuMs'),
    gitCpuMs: (gitBefore + gitAfter) / 2,
    statements: { api: count('api'), worker: count('worker') },
    roundTrips: { api: perJob('api'), worker: perJob('worker') },
    walBytes: perJob('walBytes'),
    list: list.map((one) => ({ ...one, calls: one.calls / jobs })),
  }
}

/** Counts the statements of both services, including BEGIN and COMMIT, since the reset. */
export async function listStatements({ database }: BenchStack): Promise<StatementCount[]> {
  const { rows } = await database.query<{ role: string; query: string; calls: number }>(
    `
    SELECT rolname AS role, query, calls::int FROM pg_stat_statements JOIN pg_roles ON pg_roles.oid = userid
    WHERE rolname = ANY ($1) ORDER BY calls DESC`,
    [Object.values(ROLES)],
  )
  return rows.map(({ role, query, calls }) => ({
    service: role === ROLES.api ? 'api' : 'worker',
    query: query.replace(/\s+/g, ' ').trim(),
    calls,
  }))
}
