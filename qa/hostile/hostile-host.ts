import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { DELIM_PKT, encodePkt, FLUSH_PKT, readPkts, toLine } from '@corrigenda/git/internal/http/pkt-line'
import { buildHostileStore, type HostileStore, toPack } from './hostile-objects.ts'

interface PackQuestion {
  readonly wants: readonly string[]
  readonly haves: readonly string[]
}

export type HostRequestKind = 'advertisement' | 'refs' | 'pack' | 'other'

/** A repository on the hostile host, with configurable responses. */
export interface HostileOrigin {
  readonly store: HostileStore
  readonly refs: Map<string, string>
  /** Target of HEAD. */
  head: string
  /** Returns the pack to send. If null, the pack contains all objects in the store. */
  pack: ((question: PackQuestion) => Buffer) | null
  /** Returns the bytes to send as the packfile section, for faults in the stream itself. */
  stream: ((question: PackQuestion) => Buffer) | null
  /** Overrides the host's response to a request. Returns true if it handles the request. */
  respond: ((kind: HostRequestKind, request: http.IncomingMessage, response: http.ServerResponse) => boolean) | null
}

export interface HostileHost extends AsyncDisposable {
  readonly address: string
  /** Serves a repository, empty by default, at a path. Replaces any repository at that path. */
  put(path: string, origin?: HostileOrigin): HostileOrigin
  close(): Promise<void>
}

/**
 * Starts a Git host on loopback that implements protocol v2 over HTTP without git, because git
 * would refuse to serve most of these repositories.
 */
export async function startHostileHost(): Promise<HostileHost> {
  const origins = new Map<string, HostileOrigin>()
  const server = http.createServer(async (request, response) => {
    response.on('error', () => undefined)
    try {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const body = Buffer.concat(chunks)
      const url = new URL(request.url ?? '/', 'http://host')
      const path = url.pathname.replace(/\/(info\/refs|git-upload-pack|git-receive-pack)$/, '')
      const origin = origins.get(path)
      if (!origin) {
        response.writeHead(404).end()
        return
      }
      const kind = toKind(request.method, body)
      if (origin.respond?.(kind, request, response)) return
      const answer =
        kind === 'advertisement' ? advertise() : kind === 'refs' ? listRefs(origin, body) : sendPack(origin, body)
      const type = kind === 'advertisement' ? 'advertisement' : 'result'
      response.writeHead(200, { 'content-type': `application/x-git-upload-pack-${type}` }).end(answer)
    } catch {
      response.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    put(path, origin = buildOrigin()) {
      origins.set(path, origin)
      return origin
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function buildOrigin(): HostileOrigin {
  const store = buildHostileStore()
  return { store, refs: new Map(), head: 'refs/heads/main', pack: null, stream: null, respond: null }
}

function toKind(method: string | undefined, body: Buffer): HostRequestKind {
  if (method === 'GET') return 'advertisement'
  if (body.includes('command=ls-refs')) return 'refs'
  return body.includes('command=fetch') ? 'pack' : 'other'
}

function advertise(): Buffer {
  const lines = ['version 2\n', 'agent=hostile\n', 'ls-refs\n', 'fetch=shallow filter\n', 'object-format=sha1\n']
  return Buffer.concat([
    encodePkt('# service=git-upload-pack\n'),
    FLUSH_PKT,
    ...lines.map((line) => encodePkt(line)),
    FLUSH_PKT,
  ])
}

function listRefs(origin: HostileOrigin, body: Buffer): Buffer {
  const prefixes = toArguments(body, 'ref-prefix')
  const lines: Buffer[] = []
  const main = origin.refs.get(origin.head) ?? origin.refs.get('refs/heads/main')
  if (main !== undefined && prefixes.some((prefix) => 'HEAD'.startsWith(prefix))) {
    lines.push(encodePkt(`${main} HEAD symref-target:${origin.head}\n`))
  }
  for (const [name, oid] of origin.refs) {
    if (prefixes.some((prefix) => name.startsWith(prefix))) lines.push(encodePkt(`${oid} ${name}\n`))
  }
  return Buffer.concat([...lines, FLUSH_PKT])
}

function sendPack(origin: HostileOrigin, body: Buffer): Buffer {
  const question = { wants: toArguments(body, 'want'), haves: toArguments(body, 'have') }
  const shallow = body.includes('deepen 1')
    ? [encodePkt('shallow-info\n'), ...question.wants.map((oid) => encodePkt(`shallow ${oid}\n`)), DELIM_PKT]
    : []
  const head = Buffer.concat([...shallow, encodePkt('packfile\n')])
  if (origin.stream) return Buffer.concat([head, origin.stream(question)])
  const pack = origin.pack?.(question) ?? toPack(origin.store.objects.values())
  return Buffer.concat([head, toSideBand(pack), FLUSH_PKT])
}

export function toSideBand(bytes: Buffer, size = 65_000): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += size) {
    parts.push(encodePkt(Buffer.concat([Buffer.from([1]), bytes.subarray(at, at + size)])))
  }
  return Buffer.concat(parts)
}

function toArguments(body: Buffer, word: string): string[] {
  const found: string[] = []
  for (const pkt of readPkts(body)) {
    if (pkt.kind !== 'data') continue
    const line = toLine(pkt)
    if (line.startsWith(`${word} `)) found.push(line.slice(word.length + 1))
  }
  return found
}
