import { GitHttpError } from './git-http-error.ts'
import { cutShort, DELIM_PKT, encodePkt, FLUSH_PKT, readPkts, toLine } from './pkt-line.ts'

/** Properties that a Git host advertises. `base` is the repository URL after redirects. */
export interface RemoteFacts {
  readonly base: string
  readonly protocol: 1 | 2
  /** Capability names. In v1, some have the form `name=value`. */
  readonly capabilities: ReadonlySet<string>
  /** Arguments that the v2 `fetch` command accepts (`shallow`, `filter`, …). */
  readonly fetchFeatures: ReadonlySet<string>
  /** The unchanged v2 capability advertisement. Empty for v1. */
  readonly advertisement: Buffer
}

export interface FetchWishes {
  /** Requests deltas against the objects in the `have` lines. */
  readonly thinPack: boolean
  /** Omits blobs of at least this many bytes. Null includes all blobs. */
  readonly blobLimit: number | null
}

/** Parses the response to `GET info/refs`. */
export function toRemoteFacts(base: string, body: Buffer): RemoteFacts {
  const lines: string[] = []
  for (const pkt of readPkts(body)) if (pkt.kind === 'data') lines.push(toLine(pkt))
  if (lines[0]?.startsWith('# service=')) lines.shift()
  const error = lines[0]?.startsWith('ERR ') ? lines[0].slice(4) : null
  if (error !== null)
    throw new GitHttpError('server_error', `The Git host responded with an error: ${toSafeText(error)}`)
  if (lines[0] === 'version 2') {
    const names = new Set<string>()
    let fetchFeatures = new Set<string>()
    for (const line of lines.slice(1)) {
      const [name = '', value = ''] = splitOnce(line, '=')
      names.add(name)
      if (name === 'fetch') fetchFeatures = new Set(value.split(' '))
      if (name === 'object-format' && value !== 'sha1') throw unknownHash(value)
    }
    return { base, protocol: 2, capabilities: names, fetchFeatures, advertisement: body }
  }
  const capabilities = new Set((lines[0]?.split('\0')[1] ?? '').split(' ').filter(Boolean))
  const format = [...capabilities].find((capability) => capability.startsWith('object-format='))?.slice(14)
  if (format !== undefined && format !== 'sha1') throw unknownHash(format)
  return { base, protocol: 1, capabilities, fetchFeatures: new Set(), advertisement: Buffer.alloc(0) }
}

/**
 * Builds a v1 ref advertisement that offers exactly these objects, so that a fetch requests only
 * them.
 */
export function buildAdvertisement(wants: readonly string[], facts: RemoteFacts): Buffer {
  const offered =
    facts.protocol === 1
      ? [...facts.capabilities].filter((capability) => !capability.startsWith('symref='))
      : ['multi_ack_detailed', 'no-done', 'side-band-64k', 'ofs-delta', 'shallow']
  const refs = wants.map((oid, index) => `${oid} refs/heads/want${index}`)
  return Buffer.concat([
    encodePkt('# service=git-upload-pack\n'),
    FLUSH_PKT,
    encodePkt(`${wants[0]} HEAD\0symref=HEAD:refs/heads/want0 ${offered.join(' ')}\n`),
    ...refs.map((ref) => encodePkt(`${ref}\n`)),
    FLUSH_PKT,
  ])
}

/**
 * Translates isomorphic-git's upload-pack request (always v1, never thin or filtered) into this
 * host's dialect. Uses v2 if the host supports it, because v2 can request any object and does not
 * list refs.
 */
export function toUploadPackRequest(v1: Buffer, facts: RemoteFacts, wishes: FetchWishes): Buffer {
  const lines: string[] = []
  for (const pkt of readPkts(v1)) if (pkt.kind === 'data') lines.push(toLine(pkt))
  const of = (word: string) => lines.filter((line) => line.startsWith(`${word} `))
  const wants = of('want').map((line) => `want ${line.slice(5, 45)}`)
  const bounds = [...of('shallow'), ...of('deepen')]
  const haves = of('have')
  if (facts.protocol === 2) {
    if (bounds.length > 0 && !facts.fetchFeatures.has('shallow')) throw cannot('shallow fetches')
    const args = ['no-progress', 'ofs-delta', ...bounds]
    if (wishes.thinPack) args.unshift('thin-pack')
    if (wishes.blobLimit !== null && facts.fetchFeatures.has('filter')) args.push(toFilter(wishes.blobLimit))
    const all = [...args, ...wants, ...haves, 'done']
    return Buffer.concat([
      encodePkt('command=fetch\n'),
      DELIM_PKT,
      ...all.map((line) => encodePkt(`${line}\n`)),
      FLUSH_PKT,
    ])
  }
  const capabilities = (of('want')[0] ?? '').slice(46).split(' ').filter(Boolean)
  const filters = wishes.blobLimit !== null && facts.capabilities.has('filter')
  if (wishes.thinPack && facts.capabilities.has('thin-pack')) capabilities.push('thin-pack')
  if (facts.capabilities.has('no-progress')) capabilities.push('no-progress')
  if (filters) capabilities.push('filter')
  wants[0] = `${wants[0]} ${capabilities.join(' ')}`
  const head = [...wants, ...bounds]
  if (filters && wishes.blobLimit !== null) head.push(toFilter(wishes.blobLimit))
  return Buffer.concat([
    ...head.map((line) => encodePkt(`${line}\n`)),
    FLUSH_PKT,
    ...haves.map((line) => encodePkt(`${line}\n`)),
    encodePkt('done\n'),
  ])
}

/**
 * Checks a complete upload-pack response and converts it to v1. isomorphic-git treats in-stream
 * errors and truncated streams as success.
 * @throws {GitHttpError} `server_error` for an error reported by the host, `network` for a
 *   truncated response
 */
export function toUploadPackAnswer(body: Buffer, protocol: 1 | 2): Buffer[] {
  const shallow: Buffer[] = []
  // A message of the host may be split over several packets, also within a character.
  const fatal: Buffer[] = []
  let packStart = protocol === 1 ? 0 : -1
  let last = ''
  for (const pkt of readPkts(body)) {
    last = pkt.kind
    if (pkt.kind !== 'data') continue
    const band = pkt.data[0] ?? 0
    if (packStart >= 0 && (band === 1 || band === 2)) continue
    if (packStart >= 0 && band === 3) {
      fatal.push(pkt.data.subarray(1))
      continue
    }
    const line = toLine(pkt)
    if (line.startsWith('ERR ')) throw toServerError(line.slice(4))
    if (protocol === 2 && packStart < 0) {
      if (line === 'packfile') packStart = pkt.end
      else if (/^(un)?shallow [0-9a-f]{40}$/.test(line)) shallow.push(encodePkt(`${line}\n`))
    }
  }
  if (fatal.length > 0) {
    const message = toSafeText(Buffer.concat(fatal).toString('utf8'))
    throw new GitHttpError('server_error', `The Git host aborted the response: ${message}`)
  }
  if (last !== 'flush' || packStart < 0) throw cutShort()
  if (protocol === 1) return [body]
  if (shallow.length > 0) shallow.push(FLUSH_PKT)
  return [...shallow, encodePkt('NAK\n'), body.subarray(packStart)]
}

/**
 * Checks that a line-based response is complete and does not report an error.
 * @throws {GitHttpError}
 */
export function checkListAnswer(body: Buffer): void {
  let last = ''
  for (const pkt of readPkts(body)) {
    last = pkt.kind
    if (pkt.kind === 'data' && toLine(pkt).startsWith('ERR ')) throw toServerError(toLine(pkt).slice(4))
  }
  if (last !== 'flush') throw cutShort()
}

/**
 * Removes the refs that were not requested from a v2 `ls-refs` response. A host may ignore the
 * prefix, and isomorphic-git parses long lists slowly.
 */
export function keepAskedRefs(request: Buffer, answer: Buffer): Buffer {
  const prefixes: Buffer[] = []
  for (const { data } of readPkts(request)) {
    const line = data.toString('utf8').replace(/\n$/, '')
    if (line.startsWith('ref-prefix ')) prefixes.push(Buffer.from(line.slice('ref-prefix '.length)))
  }
  const kept: Buffer[] = []
  for (const { kind, data } of readPkts(answer)) {
    // The name follows a 40-digit ID and a space.
    const asked = prefixes.some((prefix) => data.subarray(41, 41 + prefix.length).equals(prefix))
    if (kind === 'data' && data.length > 41 && asked) kept.push(encodePkt(data))
  }
  return Buffer.concat([...kept, FLUSH_PKT])
}

/**
 * Removes the refs that were not requested from a v1 advertisement. Keeps the first line, because
 * it contains the capabilities.
 */
export function keepAdvertised(body: Buffer, prefix: string): Buffer {
  const wanted = Buffer.from(prefix)
  const kept: Buffer[] = []
  for (const { kind, data } of readPkts(body)) {
    const isRef = kind === 'data' && data.length > 41 && data[40] === 32
    if (!isRef || data.includes(0) || data.subarray(41, 41 + wanted.length).equals(wanted)) {
      kept.push(kind === 'data' ? encodePkt(data) : FLUSH_PKT)
    }
  }
  return Buffer.concat(kept)
}

/**
 * Converts untrusted text to a single line of at most 200 characters for a message. Removes control
 * characters and URL credentials.
 */
export function toSafeText(text: string): string {
  const line = text.replace(/\p{C}+/gu, ' ').replace(/\/\/[^\s/@]*@/g, '//')
  return line.trim().slice(0, 200)
}

function toServerError(message: string): GitHttpError {
  const code = /not our ref|not valid|no such remote ref/i.test(message) ? 'not_found' : 'server_error'
  return new GitHttpError(code, `The Git host responded with an error: ${toSafeText(message)}`)
}

function toFilter(blobLimit: number): string {
  return `filter blob:limit=${blobLimit}`
}

function cannot(what: string): GitHttpError {
  return new GitHttpError('protocol', `The Git host does not support ${what}.`)
}

function unknownHash(name: string): GitHttpError {
  return new GitHttpError('protocol', `The repository uses ${toSafeText(name)} object names. Only sha1 is supported.`)
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
