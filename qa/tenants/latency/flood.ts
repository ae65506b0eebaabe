import { setMaxListeners } from 'node:events'
import http from 'node:http'
import os from 'node:os'
import { z } from 'zod'
import { openSend, type Send } from '../stack/send.ts'

/** What the flood process receives as its only argument. */
export const FloodInput = z.object({
  url: z.string(),
  from: z.string(),
  projectId: z.string(),
  key: z.string(),
  /** An active job of the project, for polls, streams and waits. */
  jobId: z.string(),
})
export type FloodInput = z.infer<typeof FloodInput>

/** Number of responses of each kind of request by status; 0 counts broken connections. */
export type FloodCounts = Record<string, Record<number, number>>

/** Number of parallel clients of each kind. */
const CLIENTS = { search: 30, poll: 40, list: 20, create: 20, wait: 30, stream: 60 } as const
type Kind = keyof typeof CLIENTS

/**
 * Floods the API with one key until it is stopped. Runs in a process of its own, because it would
 * otherwise delay the measurements. Messages: `start`, `stop` (answered with the counts), and
 * `exit`.
 */
function runFlood(input: FloodInput): void {
  // Clients run on other machines. Here, they must not take processor time from the service.
  os.setPriority(os.constants.priority.PRIORITY_LOW)
  const { send, close } = openSend(input.url)
  let flooding: AbortController | null = null
  let counts: FloodCounts = {}
  let loops: Promise<void>[] = []
  const count = (kind: Kind, status: number) => {
    const ofKind = counts[kind] ?? {}
    counts[kind] = { ...ofKind, [status]: (ofKind[status] ?? 0) + 1 }
  }
  const loop = async (kind: Kind, client: number, signal: AbortSignal) => {
    for (let n = 0; !signal.aborted; n += 1) {
      const status = await SEND[kind](send, input, { client, n, signal }).catch(() => 0)
      if (!signal.aborted) count(kind, status)
      // Even hostile clients need time to send a request.
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  process.on('message', async (order) => {
    if (order === 'start') {
      counts = {}
      const stopped = new AbortController()
      // Every client adds a listener.
      setMaxListeners(0, stopped.signal)
      flooding = stopped
      const kinds = Object.entries(CLIENTS) as [Kind, number][]
      loops = kinds.flatMap(([kind, clients]) =>
        Array.from({ length: clients }, (_, client) => loop(kind, client, stopped.signal)),
      )
    }
    if (order === 'stop') {
      flooding?.abort()
      await Promise.all(loops)
      process.send?.(counts)
    }
    if (order === 'exit') {
      close()
      process.disconnect()
    }
  })
  // The parent has ended.
  process.on('disconnect', () => process.exit())
  process.send?.('ready')
}

type Turn = { readonly client: number; readonly n: number; readonly signal: AbortSignal }
const WORDS = ['e', 'zzzzzzzzzzzzzzzzzzzz', '%', '_____', 'Marker', 'ü'.repeat(200), 'do'] as const

const SEND: Record<Kind, (send: Send, input: FloodInput, turn: Turn) => Promise<number>> = {
  search: (send, { projectId, key, from }, { n, client, signal }) =>
    ask(send, {
      key,
      from,
      signal,
      path: `/v2/agent/${projectId}/jobs?limit=100&q=${encodeURIComponent(WORDS[(n + client) % WORDS.length] ?? '')}`,
    }),
  poll: (send, { projectId, key, from, jobId }, { signal }) =>
    ask(send, { key, from, signal, path: `/v2/agent/${projectId}/job/${jobId}` }),
  list: (send, { projectId, key, from }, { signal }) =>
    ask(send, { key, from, signal, path: `/v2/agent/${projectId}/jobs?limit=100` }),
  create: (send, { projectId, key, from }, { n, client, signal }) =>
    ask(send, {
      key,
      from,
      signal,
      method: 'POST',
      path: `/v2/agent/${projectId}/job`,
      body: { prompt: `Flood ${client}/${n} ${'x'.repeat(20_000)}` },
      // With an Idempotency-Key, the quota is checked under the project's lock.
      headers: { 'idempotency-key': `flood-${client}-${n}-${Date.now()}` },
    }),
  wait: (send, { key, from, jobId }, { signal }) =>
    ask(send, {
      key,
      from,
      signal,
      method: 'POST',
      path: '/mcp',
      headers: { accept: 'application/json, text/event-stream' },
      body: {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'wait_for_job', arguments: { id: jobId, seconds: 5 } },
      },
    }),
  stream: (_, { url, projectId, key, from, jobId }, { signal }) =>
    new Promise((resolve, reject) => {
      const request = http.get(
        `${url}/v2/agent/${projectId}/job/${jobId}/events`,
        { localAddress: from, signal, headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' } },
        (response) => {
          // Streams are reopened after a second.
          setTimeout(() => request.destroy(), 1_000)
          response.on('error', () => {})
          response.on('close', () => resolve(response.statusCode ?? 0))
          response.resume()
        },
      )
      request.on('error', reject)
    }),
}

const ask = async (send: Send, input: Parameters<Send>[0]): Promise<number> => (await send(input)).status

runFlood(FloodInput.parse(JSON.parse(process.argv[2] ?? '')))
