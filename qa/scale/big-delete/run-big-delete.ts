import { scriptPrompt } from '@corrigenda/testkit'
import type { Project } from '../../chaos/stack/create-projects.ts'
import { openStack, type Stack } from '../../chaos/stack/open-stack.ts'
import { askDashboard } from '../seed/seed-instance.ts'
import { seedJobs } from '../seed/seed-jobs.ts'
import { copyRows, findChanged, findRemaining, listOwnedTables } from './owned-rows.ts'
import { startTraffic } from './start-traffic.ts'

export interface BigDeleteResult {
  readonly figures: Readonly<Record<string, string | number>>
  readonly violations: readonly string[]
}

export interface BigDeleteInput {
  /** Number of jobs in the deleted project. */
  readonly jobs: number
  readonly transcriptKb: number
  readonly say: (line: string) => void
}

/** Maximum duration of one statement, in ms. */
const MAX_STATEMENT_MS = 1_000
/** Jobs of each of the other projects are this fraction of the deleted project's. */
const OTHER_SHARE = 0.05
const SETTINGS = ['shared_preload_libraries=pg_stat_statements', 'max_wal_size=4GB']
const DASHBOARD_USER = { name: 'admin', email: 'admin@example.com', password: 'correct horse battery' }

/**
 * Deletes a project with many jobs while other projects create and run jobs, with a real API and a
 * real worker.
 */
export async function runBigDelete(input: BigDeleteInput): Promise<BigDeleteResult> {
  const stack = await openStack({
    queue: 'postgres',
    workers: 1,
    slots: 4,
    leaseSeconds: 20,
    sweepSeconds: 0.5,
    databaseSettings: SETTINGS,
    repositories: ['acme/docs', 'acme/guides', 'acme/big'],
  })
  try {
    return await run(stack, input)
  } finally {
    await stack.close(false)
  }
}

async function run(stack: Stack, { jobs, transcriptKb, say }: BigDeleteInput): Promise<BigDeleteResult> {
  const { database, projects } = stack
  const others = projects.slice(0, 2)
  const big = projects[2]
  if (!big) throw new Error('The project is missing.')
  say(`seeding ${jobs} jobs`)
  const cookie = await signUp(stack)
  await fillProject(stack, big)
  const common = { transcriptKb, newestDays: 0.1, oldestDays: 0.9 }
  await seedJobs(database.url, { ...common, projectIds: [big.id], from: 1, count: jobs, active: 3, newestDays: 0 })
  const otherIds = others.map(({ id }) => id)
  const from = 100_000_000
  await seedJobs(database.url, { ...common, projectIds: otherIds, from, count: Math.ceil(2 * jobs * OTHER_SHARE) })
  await database.query('VACUUM ANALYZE')
  const tables = await listOwnedTables(database)
  const counts = await copyRows(database, { tables, schema: 'doomed', projectIds: [big.id] })
  await copyRows(database, { tables, schema: 'others', projectIds: otherIds })
  const empty = [...counts].filter(([, n]) => n === 0).map(([name]) => name)
  const violations = empty.map((name) => `the deleted project has no rows in ${name}`)

  await database.query('CREATE EXTENSION pg_stat_statements')
  await database.query('SELECT pg_stat_statements_reset()')
  say('deleting the project')
  // Work in progress in the deleted project.
  for (const n of [1, 2]) await createJob(stack, big, scriptPrompt(`Task ${n}.`, [[{ delay: 5_000 }, { text: 'x' }]]))
  const traffic = startTraffic(stack, others)
  const started = performance.now()
  violations.push(...(await deleteBigProject(stack, { big, cookie })))
  const requestMs = performance.now() - started
  await untilRemoved(stack, big.id)
  const totalMs = performance.now() - started
  const { failures, ...load } = await traffic.stop()
  const statements = await readStatements(stack)

  say('checking the rows')
  violations.push(...failures.map((failure) => `another project: ${failure}`))
  if (load.jobs === 0) violations.push('no job of another project ended')
  if (statements.longestMs > MAX_STATEMENT_MS) violations.push(`a statement took ${toMs(statements.longestMs)}`)
  const remaining = await findRemaining(database, { tables, schema: 'doomed', projectId: big.id })
  violations.push(...remaining.map((table) => `rows of the deleted project remain in ${table}`))
  const changed = await findChanged(database, { tables, schema: 'others' })
  violations.push(...changed.map((table) => `rows of other projects changed in ${table}`))
  return {
    violations,
    figures: {
      'removed rows': [...counts.values()].reduce((sum, n) => sum + n, 0),
      tables: tables.length,
      'hidden after': toMs(requestMs),
      'removed after': `${(totalMs / 1000).toFixed(1)} s`,
      'batches of jobs': statements.batches,
      'longest statement': `${toMs(statements.longestMs)} (${statements.longest})`,
      'other projects': `${load.jobs} jobs, ${load.requests} requests, longest ${toMs(load.longestMs)}`,
    },
  }
}

const toMs = (ms: number): string => `${ms.toFixed(0)} ms`

/** Creates the first account. Returns its session cookie. */
async function signUp({ url }: Stack): Promise<string> {
  const response = await askDashboard(url, '/setup', { method: 'POST', body: DASHBOARD_USER })
  const cookie = response.headers.getSetCookie().find((one) => one.includes('session='))
  if (!cookie) throw new Error(`The first account was not created: ${response.status}`)
  return cookie.split(';')[0] ?? ''
}

/** Adds rows to the tables that jobs do not fill. */
async function fillProject({ database }: Stack, { id }: Project): Promise<void> {
  for (const statement of [
    `INSERT INTO webhook_endpoints (id, project_id, url, sealed_secret)
      VALUES ('whe_big', $1, 'https://hooks.example.com/', decode(repeat('01', 64), 'hex'))`,
    `INSERT INTO project_spend (project_id, month, cost_usd) VALUES ($1, '2000-01-01', 1)`,
    `INSERT INTO memberships (project_id, user_id, role) SELECT $1, id, 'owner' FROM users`,
    `INSERT INTO invitations (id, project_id, role, token_hash, expires_at)
      VALUES ('inv_big', $1, 'viewer', decode('01', 'hex'), now())`,
    `INSERT INTO git_credentials (project_id, sealed_token, host, last_four) VALUES ($1, decode('01', 'hex'), 'x', '1234')`,
    `INSERT INTO source_credentials (project_id, source, sealed_token, host, last_four)
      VALUES ($1, 'code', decode('01', 'hex'), 'x', '1234')`,
    `INSERT INTO repository_tests (id, project_id, status, ok, ended_at) VALUES ('rpt_big', $1, 'done', true, now())`,
    `INSERT INTO saved_prompts (id, project_id, name, prompt) VALUES ('spr_big', $1, 'n', 'p')`,
  ]) {
    await database.query(statement, [id])
  }
}

async function createJob({ url }: Stack, project: Project, prompt: string): Promise<void> {
  const response = await fetch(`${url}/v2/agent/${project.id}/job`, {
    method: 'POST',
    headers: { authorization: `Bearer ${project.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt }),
  })
  if (response.status !== 201) throw new Error(`The job was rejected: ${response.status} ${await response.text()}`)
}

/** Deletes the project through the dashboard. Returns what is still visible afterwards. */
async function deleteBigProject(
  { url, database }: Stack,
  { big, cookie }: { big: Project; cookie: string },
): Promise<string[]> {
  const [row] = await database.query<{ name: string }>('SELECT name FROM projects WHERE id = $1', [big.id])
  const deleted = await askDashboard(url, `/projects/${big.id}`, { cookie, method: 'DELETE', body: row })
  const withKey = await fetch(`${url}/v2/agent/${big.id}/jobs`, { headers: { authorization: `Bearer ${big.key}` } })
  const page = await askDashboard(url, `/projects/${big.id}/jobs`, { cookie })
  const list = await (await askDashboard(url, '/projects', { cookie })).text()
  const seen: [string, number, number][] = [
    ['the deletion', deleted.status, 204],
    ["a request with the project's key", withKey.status, 401],
    ["the project's page", page.status, 404],
  ]
  return [
    ...seen
      .filter(([, status, expected]) => status !== expected)
      .map(([what, status, expected]) => `${what} was answered with ${status} instead of ${expected}`),
    ...(list.includes(big.id) ? ['the project list contains the deleted project'] : []),
  ]
}

async function untilRemoved({ database }: Stack, id: string): Promise<void> {
  while ((await database.query('SELECT FROM projects WHERE id = $1', [id])).length > 0) {
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
}

/** Reads the durations of all statements since the reset. */
async function readStatements({ database }: Stack) {
  const statements = await database.query<{ query: string; calls: number; ms: number }>(`
    SELECT query, calls::int, max_exec_time AS ms FROM pg_stat_statements
    WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) AND query NOT LIKE '%pg_stat_statements%'
    ORDER BY max_exec_time DESC`)
  const [longest] = statements
  return {
    longestMs: longest?.ms ?? 0,
    longest: (longest?.query ?? '').replace(/\s+/g, ' ').trim().slice(0, 80),
    batches: statements
      .filter(({ query }) => /^DELETE FROM "public"\."jobs" /.test(query.trim()))
      .reduce((n, { calls }) => n + calls, 0),
  }
}
