import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '@corrigenda/embedded-postgres'
import type { Load, LoadResult } from './load.ts'
import { type BenchProject, prepare } from './prepare.ts'

/**
 * Compares the API's reads with the same reads on a bare HTTP server, in one run. Prints requests per
 * second, latencies, and the ratios.
 */
const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '50' },
  },
})
const [seconds, rounds, connections] = [options.seconds, options.rounds, options.connections].map(Number) as [
  ...[number, number, number],
]

/** What each row is compared with. */
const ROWS = {
  constant: null,
  'SELECT by id': null,
  'poll, one job': 'SELECT by id',
  'poll, one job, 304': 'SELECT by id',
  'poll, many jobs': 'SELECT by id',
  'SELECT of 20': null,
  'list, one project': 'SELECT of 20',
  'list, many projects': 'SELECT of 20',
} as const
type Row = keyof typeof ROWS

const children: ChildProcess[] = []
const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-bench-'))
await chmod(dir, 0o755)
const postgres = await startPostgres({ stateDir: path.join(dir, 'postgres'), durable: false })
try {
  const secret = randomBytes(32).toString('hex')
  const projects = await prepare(postgres.url, { secret, projects: 20, jobs: 25 })
  const settings = { CORRIGENDA_SECRET: secret, HOST: '127.0.0.1', PORT: '0', LOG_LEVEL: 'warn' }
  const limits = { EDGE_RATE_LIMIT: '10000000', CALLER_RATE_LIMIT: '10000000' }
  const env = { DATABASE_URL: postgres.url, ...settings, ...limits }
  const [api, anchor] = [await serve('./serve-api.js', env), await serve('./serve-anchor.js', env)]
  const loads = await buildLoads({ api, anchor, projects })
  const load = fork(new URL('./load.js', import.meta.url), { execArgv: [] })
  children.push(load)

  const best = new Map<Row, number>()
  for (let round = 0; round < rounds; round += 1) {
    for (const [row, { port, requests }] of Object.entries(loads) as [Row, Target][]) {
      load.send({ port, requests, connections, seconds } satisfies Load)
      const [result] = (await once(load, 'message')) as [LoadResult]
      best.set(row, Math.max(best.get(row) ?? 0, result.perSecond))
      console.log(format(row, result))
    }
  }
  console.log()
  for (const [row, base] of Object.entries(ROWS) as [Row, Row | null][]) {
    const ratio = (of: Row) => ((best.get(row) ?? 0) / (best.get(of) ?? 1)).toFixed(2)
    if (base !== null) console.log(`${row.padEnd(22)} ${ratio(base)} of ${base}, ${ratio('constant')} of constant`)
  }
} finally {
  for (const child of children) child.disconnect()
  await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')))
  await postgres.stop()
  await rm(dir, { recursive: true, force: true })
}

interface Target {
  readonly port: number
  readonly requests: readonly string[]
}

/** Starts a server and returns its URL. */
async function serve(file: string, env: Readonly<Record<string, string>>): Promise<URL> {
  const child = fork(new URL(file, import.meta.url), { execArgv: [], env: { PATH: process.env.PATH, ...env } })
  children.push(child)
  const failed = once(child, 'exit').then(() => {
    throw new Error(`${file} did not start.`)
  })
  const [url] = await Promise.race([once(child, 'message'), failed])
  failed.catch(() => {})
  return new URL(url)
}

async function buildLoads(input: { api: URL; anchor: URL; projects: readonly BenchProject[] }) {
  const { api, anchor, projects } = input
  const [first] = projects
  const [job] = first?.jobs ?? []
  if (first === undefined || job === undefined) throw new Error('There is no job.')
  const bare = (route: string): Target => ({ port: Number(anchor.port), requests: [toRequest(route)] })
  const ask = (
    asked: readonly { project: BenchProject; route: string; headers?: Record<string, string> }[],
  ): Target => ({
    port: Number(api.port),
    requests: asked.map(({ project, route, headers }) =>
      toRequest(`/v2/agent/${project.id}/${route}`, { authorization: `Bearer ${project.key}`, ...headers }),
    ),
  })
  const url = new URL(`/v2/agent/${first.id}/job/${job}`, api)
  const etag = (await fetch(url, { headers: { authorization: `Bearer ${first.key}` } })).headers.get('etag') ?? ''
  return {
    constant: bare('/constant'),
    'SELECT by id': bare(`/job/${job}`),
    'poll, one job': ask([{ project: first, route: `job/${job}` }]),
    'poll, one job, 304': ask([{ project: first, route: `job/${job}`, headers: { 'if-none-match': etag } }]),
    'poll, many jobs': ask(projects.flatMap((project) => project.jobs.map((id) => ({ project, route: `job/${id}` })))),
    'SELECT of 20': bare(`/jobs/${first.id}`),
    'list, one project': ask([{ project: first, route: 'jobs?limit=20' }]),
    'list, many projects': ask(projects.map((project) => ({ project, route: 'jobs?limit=20' }))),
  } satisfies Record<Row, Target>
}

function toRequest(route: string, headers: Readonly<Record<string, string>> = {}): string {
  const lines = Object.entries({ host: 'bench', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET ${route} HTTP/1.1\r\n${lines.join('')}\r\n`
}

function format(row: Row, { perSecond, p50Ms, p99Ms, others }: LoadResult): string {
  const failed = Object.entries(others).map(([status, count]) => `, ${count} times ${status}`)
  const rate = perSecond.toFixed(0).padStart(6)
  return `${row.padEnd(22)} ${rate}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms${failed.join('')}`
}
