import { once } from 'node:events'
import type { Load, LoadResult } from './load.ts'
import { openService } from './open-service.ts'

const SECONDS = 5
const ROUNDS = 2
const CONNECTIONS = 50

/** What the requests of each row are compared with: the same work on a bare HTTP server. */
const ROWS = {
  constant: null,
  'INSERT of a row': null,
  'create, many projects': 'INSERT of a row',
  'SELECT by id': null,
  'poll, one job': 'SELECT by id',
  'poll, one job, 304': 'SELECT by id',
  'poll, many jobs': 'SELECT by id',
  'SELECT of 20': null,
  'list, one project': 'SELECT of 20',
  'list, many projects': 'SELECT of 20',
} as const
type Row = keyof typeof ROWS

interface Target {
  readonly port: number
  readonly requests: readonly string[]
}

/** Compares creations, polls and lists with the same statements on a bare server, in turns. */
export async function measureApi(print: (line: string) => void): Promise<void> {
  const service = await openService({ projects: 20, jobs: 25 })
  try {
    const bare = await service.serve('./serve-bare.js')
    const load = service.start('./load.js')
    const targets = await buildTargets(service, bare)
    const best = new Map<Row, number>()
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const [row, target] of Object.entries(targets) as [Row, Target][]) {
        load.send({ ...target, connections: CONNECTIONS, seconds: SECONDS } satisfies Load)
        const [result] = (await once(load, 'message')) as [LoadResult]
        best.set(row, Math.max(best.get(row) ?? 0, result.perSecond))
        print(format(row, result))
      }
    }
    for (const [row, base] of Object.entries(ROWS) as [Row, Row | null][]) {
      const ratio = (of: Row) => ((best.get(row) ?? 0) / (best.get(of) ?? 1)).toFixed(2)
      if (base !== null) print(`${row.padEnd(22)} ${ratio(base)} of ${base}, ${ratio('constant')} of constant`)
    }
  } finally {
    await service.close()
  }
}

type Service = Awaited<ReturnType<typeof openService>>

async function buildTargets({ api, projects }: Service, bare: URL): Promise<Record<Row, Target>> {
  const [first] = projects
  const [job] = first?.jobs ?? []
  if (first === undefined || job === undefined) throw new Error('There is no job.')
  const body = JSON.stringify({ prompt: 'Document the new --json flag of the export command.' })
  const toBare = (route: string, sent?: string): Target => ({
    port: Number(bare.port),
    requests: [toRequest(route, {}, sent)],
  })
  const ask = (
    asked: readonly (readonly [(typeof projects)[number], string])[],
    etag?: string,
    sent?: string,
  ): Target => ({
    port: Number(api.port),
    requests: asked.map(([{ id, key }, route]) => {
      const condition: Record<string, string> = etag === undefined ? {} : { 'if-none-match': etag }
      return toRequest(`/v2/agent/${id}/${route}`, { authorization: `Bearer ${key}`, ...condition }, sent)
    }),
  })
  const one = [[first, `job/${job}`]] as const
  const url = new URL(`/v2/agent/${first.id}/job/${job}`, api)
  const etag = (await fetch(url, { headers: { authorization: `Bearer ${first.key}` } })).headers.get('etag') ?? ''
  return {
    constant: toBare('/constant'),
    'INSERT of a row': toBare('/job', body),
    'create, many projects': ask(
      projects.map((project) => [project, 'job'] as const),
      undefined,
      body,
    ),
    'SELECT by id': toBare(`/job/${job}`),
    'poll, one job': ask(one),
    'poll, one job, 304': ask(one, etag),
    'poll, many jobs': ask(projects.flatMap((project) => project.jobs.map((id) => [project, `job/${id}`] as const))),
    'SELECT of 20': toBare(`/jobs/${first.id}`),
    'list, one project': ask([[first, 'jobs?limit=20']]),
    'list, many projects': ask(projects.map((project) => [project, 'jobs?limit=20'] as const)),
  }
}

function toRequest(route: string, headers: Readonly<Record<string, string>>, body?: string): string {
  const lines = Object.entries({ host: 'bench', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  if (body === undefined) return `GET ${route} HTTP/1.1\r\n${lines.join('')}\r\n`
  const sent = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
  return `POST ${route} HTTP/1.1\r\n${lines.join('')}${sent}\r\n${body}`
}

function format(row: Row, { perSecond, p50Ms, p99Ms, others }: LoadResult): string {
  const failed = Object.entries(others).map(([status, count]) => `, ${count} times ${status}`)
  const rate = perSecond.toFixed(0).padStart(6)
  return `${row.padEnd(22)} ${rate}/s, p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms${failed.join('')}`
}
