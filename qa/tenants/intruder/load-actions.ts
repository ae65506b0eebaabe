import http from 'node:http'
import net from 'node:net'
import type { Action } from './action.ts'
import { hostileText } from './hostile-texts.ts'
import { ask, INTRUDER_ADDRESSES, type Intruder, pickOwn, pickSender, type Sender } from './intruder.ts'

const toJobs = ({ project }: Intruder) => `/v2/agent/${project.id}`
const MAX_OPEN = 150

const search = (intruder: Intruder, as: Sender) => {
  const { random } = intruder
  const q = random.pick([
    'e',
    'zzzzzzzz',
    '%',
    '_',
    '\\',
    'x'.repeat(200),
    'x'.repeat(5_000),
    'ü'.repeat(200),
    hostileText(random, 200),
    'quagga',
    'quagga-instructions',
    intruder.acme.live.id,
  ])
  const dashboard = `/dashboard/api/projects/${intruder.project.id}/jobs`
  const path = random.chance(0.8) ? `${toJobs(intruder)}/jobs` : dashboard
  return ask(intruder, {
    as,
    path: `${path}?limit=${random.pick([1, 20, 100, 101])}&q=${encodeURIComponent(q.toWellFormed())}`,
  })
}

const callMcp = (intruder: Intruder, as: Sender, name: string, args: object) =>
  ask(intruder, {
    as,
    method: 'POST',
    path: '/mcp',
    headers: { accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
  })

function hold({ open }: Intruder, close: () => void): void {
  open.add(close)
  if (open.size <= MAX_OPEN) return
  const [oldest] = open
  if (oldest) open.delete(oldest)
  oldest?.()
}

/** Opens an event stream and keeps it open. */
function openStream(intruder: Intruder, path: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const { stack, random, leaks, found, action } = intruder
  return new Promise((resolve) => {
    const localAddress = random.pick(INTRUDER_ADDRESSES)
    const request = http.get(`${stack.url}${path}`, {
      localAddress,
      headers: { accept: 'text/event-stream', ...headers },
    })
    request.on('error', () => resolve())
    request.on('response', (response) => {
      response.on('error', () => {})
      response.on('data', (chunk: Buffer) => {
        for (const leak of leaks.find({ path }, { text: chunk.toString(), json: null, headers: {} })) {
          found.push(`${action}: GET ${path}: the stream contains ${leak} of the other tenant`)
        }
      })
      if (response.statusCode === 500) found.push(`${action}: GET ${path}: internal error`)
      resolve()
    })
    hold(intruder, () => request.destroy())
  })
}

export const LOAD_ACTIONS: readonly Action[] = [
  { name: 'search', weight: 8, run: (intruder) => search(intruder, pickSender(intruder)) },
  {
    name: 'list with hostile parameters',
    weight: 4,
    run(intruder) {
      const { random } = intruder
      const name = random.pick(['cursor', 'createdAfter', 'createdBefore', 'status', 'outcome', 'limit', 'after'])
      const value = random.pick([
        hostileText(random, 150),
        '2026-01-01T00:00:00Z',
        '0000-01-01T00:00:00Z',
        '-1',
        'e30',
        '',
      ])
      const query = `${name}=${encodeURIComponent(value.toWellFormed())}`
      const path = random.pick([
        `${toJobs(intruder)}/jobs`,
        `${toJobs(intruder)}/job/${pickOwn(intruder, 'job')}/events`,
      ])
      return ask(intruder, { as: pickSender(intruder), path: `${path}?${query}` })
    },
  },
  {
    name: 'flood',
    weight: 2,
    async run(intruder) {
      const { random } = intruder
      const as = random.pick(['all', 'all', 'owner', 'read', 'invented'] as const)
      const one = random.pick([
        () => search(intruder, as),
        () => ask(intruder, { as, path: `${toJobs(intruder)}/job/${pickOwn(intruder, 'job')}` }),
        () => ask(intruder, { as, path: `${toJobs(intruder)}/jobs?limit=100` }),
        () => ask(intruder, { as, path: '/v1/me' }),
        () => ask(intruder, { as, path: `/dashboard/api/projects/${intruder.project.id}/members` }),
        () =>
          ask(intruder, { as, method: 'POST', path: `${toJobs(intruder)}/job`, body: { prompt: 'x'.repeat(90_000) } }),
      ])
      await Promise.all(Array.from({ length: random.int(20, 80) }, one))
    },
  },
  {
    name: 'wait for jobs over MCP',
    weight: 2,
    async run(intruder) {
      const seconds = intruder.random.int(1, 2)
      const wait = () => callMcp(intruder, 'all', 'wait_for_job', { id: pickOwn(intruder, 'job'), seconds })
      await Promise.all(Array.from({ length: intruder.random.int(5, 25) }, wait))
    },
  },
  {
    name: 'call a tool over MCP',
    weight: 3,
    async run(intruder) {
      const { random, foreign, found, action } = intruder
      const name = random.pick(['get_job', 'get_changes', 'cancel_job', 'wait_for_job', 'send_message', 'list_jobs'])
      const id = foreign.pick('job', random)
      const args = name === 'list_jobs' ? { q: 'quagga' } : { id, seconds: 1, prompt: 'x' }
      const answer = await callMcp(intruder, pickSender(intruder), name, args)
      const result = (answer?.json as { result?: { isError?: boolean } } | null)?.result
      if (name !== 'list_jobs' && answer?.status === 200 && result !== undefined && result.isError !== true) {
        found.push(`${action}: ${name} succeeded with the job ${id} of the other tenant: ${answer.text.slice(0, 500)}`)
      }
    },
  },
  {
    name: 'open event streams',
    weight: 2,
    async run(intruder) {
      const { random, keys, accounts, project, acme } = intruder
      const isForeign = random.chance(0.2)
      const path = isForeign
        ? `/v2/agent/${random.pick([project.id, acme.live.id])}/job/${intruder.foreign.pick('job', random)}/events`
        : `${toJobs(intruder)}/job/${pickOwn(intruder, 'job')}/events`
      const session = { cookie: accounts.owner.cookie }
      const lists = `/dashboard/api/projects/${isForeign ? acme.live.id : project.id}/events`
      const streams = Array.from({ length: random.int(1, 40) }, () =>
        random.chance(0.8)
          ? openStream(intruder, path, { authorization: `Bearer ${keys.all}` })
          : openStream(intruder, lists, session),
      )
      await Promise.all(streams)
    },
  },
  {
    name: 'close event streams',
    weight: 1,
    async run({ open, random }) {
      for (const close of [...open]) {
        if (random.chance(0.5)) continue
        open.delete(close)
        close()
      }
    },
  },
  {
    name: 'start slow uploads',
    weight: 2,
    async run(intruder) {
      const { stack, random, keys } = intruder
      const { port } = new URL(stack.url)
      const start = () => {
        const localAddress = random.pick(INTRUDER_ADDRESSES)
        const socket = net.connect({ port: Number(port), host: '127.0.0.1', localAddress })
        socket.on('error', () => {})
        const lines = [
          `POST ${toJobs(intruder)}/job HTTP/1.1`,
          'host: x',
          `authorization: Bearer ${keys.all}`,
          'content-type: application/json',
          'content-length: 900000',
          '',
          '{"prompt": "',
        ]
        socket.write(lines.join('\r\n'))
        return () => socket.destroy()
      }
      // More than the service accepts at the same time. The others would block the intruder itself.
      const closers = Array.from({ length: 40 }, start)
      await new Promise((resolve) => setTimeout(resolve, 200))
      for (const close of closers) close()
    },
  },
  {
    name: 'disconnect during requests',
    weight: 2,
    async run(intruder) {
      const { random } = intruder
      const paths = [`${toJobs(intruder)}/jobs?limit=100`, `${toJobs(intruder)}/jobs?q=e`, '/v1/me']
      const send = () => {
        const signal = AbortSignal.timeout(random.int(1, 40))
        return ask(intruder, { as: 'all', path: random.pick(paths), signal })
      }
      await Promise.all(Array.from({ length: 20 }, send))
    },
  },
]
