import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { runCli } from '@corrigenda/cli/internal/test-support/run-cli'
import { type RunningProcess, startProcess } from '@corrigenda/cli/internal/test-support/start-process'
import { startPostgres } from '@corrigenda/embedded-postgres'
import {
  ensureRedisServer,
  findFreePort,
  makeDatabaseDir,
  promptModelScript,
  scriptPrompt,
  startGitHost,
  startMessagesApi,
  startRedis,
} from '@corrigenda/testkit'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startPrometheus } from './test-support/start-prometheus.ts'

const FULL = 'acme/docs'
const JOBS = 100
const DASHBOARD = path.resolve(import.meta.dirname, '../../deploy/observability/grafana-dashboard.json')
const PATIENCE = { timeout: 300_000, interval: 500 }

/** Age of the killed worker's last scrape, at most: two intervals. */
const UNSCRAPED_SECONDS = 6

/** What the database says, in the form of the samples of Prometheus. */
const FACTS: Readonly<Record<string, string>> = {
  corrigenda_jobs_created_total: "SELECT '' AS key, count(*)::float8 AS value FROM jobs",
  corrigenda_jobs_ended_total: `SELECT concat_ws(' ', failure_code, outcome) AS key, count(*)::float8 AS value
    FROM jobs WHERE outcome IS NOT NULL GROUP BY 1`,
  corrigenda_run_attempts_total: "SELECT '' AS key, sum(attempt)::float8 AS value FROM runs",
  corrigenda_run_recoveries_total:
    "SELECT '' AS key, sum(attempt - handovers - failures - 1)::float8 AS value FROM runs",
  corrigenda_model_turns_total: 'SELECT model AS key, sum(turns)::float8 AS value FROM jobs GROUP BY 1',
  corrigenda_model_tokens_total: `SELECT concat_ws(' ', least(model, type), greatest(model, type)) AS key, sum(n)::float8 AS value
    FROM jobs, LATERAL (VALUES ('input', input_tokens), ('output', output_tokens), ('cache_read', cache_read_tokens),
      ('cache_write', cache_write_tokens)) AS t (type, n) GROUP BY 1 HAVING sum(n) > 0`,
  corrigenda_model_cost_dollars_total: `SELECT model AS key, sum(cost_usd)::float8 AS value FROM jobs GROUP BY 1`,
  corrigenda_pull_requests_total:
    "SELECT 'opened' AS key, count(*)::float8 AS value FROM jobs WHERE pr_url IS NOT NULL",
}

/** Parts of queries of the dashboard that may return nothing, because the campaign has no such events. */
const WITHOUT_DATA = [
  'corrigenda_monthly_budget_dollars',
  'corrigenda_jobs_ended_total{outcome="failed"}',
  'corrigenda_run_releases_total',
  'corrigenda_model_retries_total',
  'corrigenda_checks_total{status!="passed"}',
  'corrigenda_webhook_deliveries_total',
  'corrigenda_deployments_total',
]

test('the numbers of Prometheus agree with the database after a worker was killed, and the alert fires and clears', async () => {
  const dir = await makeDatabaseDir('corrigenda-metrics-')
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const postgres = await startPostgres({ stateDir: path.join(dir, 'postgres'), durable: false })
  onTestFinished(() => postgres.stop())
  const redis = await startRedis(await ensureRedisServer())
  onTestFinished(() => redis.close())
  const host = await startGitHost({ root: path.join(dir, 'repositories') })
  onTestFinished(() => host.close())
  const files = new Map(
    Array.from({ length: JOBS }, (_, n) => [`page-${n}.mdx`, { data: `---\ntitle: Page ${n}\n---\n\nMarker ${n}.\n` }]),
  )
  await host.createRepository(FULL, { commits: [{ message: 'docs: start', files }] })
  const model = await startMessagesApi({ modelScript: promptModelScript })
  onTestFinished(() => model.close())
  const port = await findFreePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    DATABASE_URL: postgres.url,
    REDIS_URL: redis.url,
    HOST: '127.0.0.1',
    PORT: String(port),
    CORRIGENDA_SECRET: 'a-secret-for-the-metrics-campaign-0123456789abc',
    ANTHROPIC_API_KEY: model.key,
    ANTHROPIC_BASE_URL: model.url,
    GITHUB_TOKEN: host.token,
    GITHUB_API_URL: host.apiUrl,
    ALLOWED_REPOSITORY_HOSTS: new URL(host.url).host,
    CACHE_DIR: path.join(dir, 'cache'),
    SWEEP_SECONDS: '0.5',
    LEASE_SECONDS: '5',
    JOB_RATE_LIMIT: '1000',
  }
  expect((await runCli(dir, ['migrate'], env)).code).toBe(0)
  const running: RunningProcess[] = []
  onTestFinished(async () => void (await Promise.all(running.map((one) => one.stop('SIGKILL')))))
  const start = async (name: 'api' | 'worker') => {
    const metricsPort = await findFreePort()
    const started = startProcess(dir, [name], { ...env, METRICS_PORT: String(metricsPort) })
    running.push(started)
    return { ...started, address: `127.0.0.1:${metricsPort}` }
  }
  const api = await start('api')
  const [first, second] = [await start('worker'), await start('worker')]
  await vi.waitFor(async () => expect((await fetch(`${url}/readyz?workers=1`)).status).toBe(200), PATIENCE)
  const prometheus = await startPrometheus(path.join(dir, 'prometheus'), {
    'corrigenda-api': [api.address],
    'corrigenda-worker': [first.address, second.address],
  })
  onTestFinished(() => prometheus.stop())
  const startedAt = Date.now() / 1000
  const project = await runCli(
    dir,
    ['project', 'create', '--name', 'Docs', '--repository', host.repositoryUrl(FULL), '--json'],
    env,
  )
  const { id } = JSON.parse(project.out)
  const made = await runCli(dir, ['key', 'create', '--project', id, '--name', 'k', '--json'], env)
  const headers = { authorization: `Bearer ${JSON.parse(made.out).key}`, 'content-type': 'application/json' }
  const database = new pg.Client({ connectionString: postgres.url })
  await database.connect()
  onTestFinished(() => database.end())

  let lostJobs = 0
  for (let n = 0; n < JOBS; n++) {
    const edits = [
      [{ tool: 'edit', input: { path: `page-${n}.mdx`, old_str: `Marker ${n}.`, new_str: `By job ${n}.` } }],
    ]
    const prompt = scriptPrompt(`Edit page ${n}.`, edits as never)
    const response = await fetch(`${url}/v2/agent/${id}/job`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ prompt }),
    })
    expect(response.status).toBe(201)
    if (n === JOBS / 2) {
      // A worker with runs in progress.
      await vi.waitFor(async () => {
        const { rows } = await database.query('SELECT FROM runs WHERE active AND lease_owner LIKE $1', [
          `%:${first.child.pid}:%`,
        ])
        expect(rows.length).toBeGreaterThan(0)
      }, PATIENCE)
      await first.stop('SIGKILL')
      const { rows } = await database.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM jobs WHERE finished_at > now() - interval '${UNSCRAPED_SECONDS} seconds'`,
      )
      lostJobs = rows[0]?.n ?? 0
    }
  }
  await vi.waitFor(async () => {
    const { rows } = await database.query("SELECT FROM jobs WHERE status = 'active'")
    expect(rows.length).toBe(0)
  }, PATIENCE)

  const readFacts = async (statement: string) => {
    const { rows } = await database.query<{ key: string; value: number | null }>(statement)
    return Object.fromEntries(rows.filter(({ value }) => value !== null).map(({ key, value }) => [key, value]))
  }
  for (const [metric, statement] of Object.entries(FACTS)) {
    const expected = await readFacts(statement)
    // Includes the last values of the killed worker.
    const query = `sum by (outcome, code, model, type, event) (max_over_time(${metric}[1h]))`
    // Nothing is counted twice. Of the killed worker's counts, those after its last scrape are lost.
    const lost = metric === 'corrigenda_jobs_created_total' ? 0 : (lostJobs + 1) / JOBS
    await vi.waitFor(
      async () => {
        const found = Object.fromEntries([...(await prometheus.query(query))].filter(([, value]) => value > 0))
        expect(Object.keys(found).sort()).toEqual(Object.keys(expected).sort())
        for (const [key, value] of Object.entries(expected)) {
          expect(found[key]).toBeLessThanOrEqual(value! + 1e-5)
          expect(found[key]).toBeGreaterThanOrEqual(value! * (1 - lost) - 1e-5)
        }
      },
      { timeout: 20_000, interval: 500 },
    )
    console.log(`${metric}: Prometheus and database agree: ${JSON.stringify(expected)}, lost at most ${lost}`)
  }
  const recoveries = await prometheus.query('sum(corrigenda_run_recoveries_total)')
  expect([...recoveries.values()][0]).toBeGreaterThan(0)
  const posts = await prometheus.query(
    'sum(corrigenda_http_request_duration_seconds_count{method="POST",status="201"})',
  )
  expect([...posts.values()]).toEqual([JOBS])
  for (const query of [
    'sum by (status) (corrigenda_model_requests_total)',
    'sum by (protocol, status) (corrigenda_git_host_requests_total)',
    'sum by (phase) (corrigenda_run_phase_duration_seconds_count)',
    'max(corrigenda_workers_alive)',
  ]) {
    console.log(`${query}: ${JSON.stringify(Object.fromEntries(await prometheus.query(query)))}`)
  }

  expect(await prometheus.listFiring()).not.toContain('CorrigendaNoWorker')
  await second.stop('SIGKILL')
  await vi.waitFor(async () => expect(await prometheus.listFiring()).toContain('CorrigendaNoWorker'), PATIENCE)
  console.log('no worker: CorrigendaNoWorker fires')
  const unready = await fetch(`${url}/readyz?workers=1`)
  expect([unready.status, ((await unready.json()) as { error: string }).error]).toEqual([
    503,
    expect.stringContaining('No worker'),
  ])
  await start('worker')
  await vi.waitFor(async () => expect(await prometheus.listFiring()).not.toContain('CorrigendaNoWorker'), PATIENCE)
  console.log('a worker started: CorrigendaNoWorker has cleared')

  const dashboard = JSON.parse(await readFile(DASHBOARD, 'utf8')) as { panels: { targets: { expr: string }[] }[] }
  const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  for (const query of queries) {
    const hasValue = await prometheus.hasValueSince(query, startedAt)
    expect([query, hasValue || WITHOUT_DATA.some((part) => query.includes(part))]).toEqual([query, true])
  }
}, 900_000)
