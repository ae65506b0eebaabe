import type http from 'node:http'
import { gzipSync } from 'node:zlib'
import { encodePkt, FLUSH_PKT } from '@corrigenda/git/internal/http/pkt-line'
import { type HostileOrigin, type HostRequestKind, toSideBand } from './hostile-host.ts'
import { toPack } from './hostile-objects.ts'
import { type HostileRow, putEntries, readable, refused, toFile } from './hostile-row.ts'

type Respond = (kind: HostRequestKind, response: http.ServerResponse, origin: HostileOrigin) => boolean

/** Builds a row with a valid repository behind a misbehaving host. */
function host(name: string, expect: HostileRow['expect'], respond: Respond, expectUpdate = expect): HostileRow {
  return {
    expectUpdate,
    name: `host: ${name}`,
    build(origin) {
      putEntries(origin, [toFile(origin, 'a.md', name)])
      origin.respond = (kind, _request, response) => respond(kind, response, origin)
    },
    expect,
  }
}

/** Builds a row with a valid repository and an invalid ref list. */
function refs(
  name: string,
  expect: HostileRow['expect'],
  change: (origin: HostileOrigin, tip: string) => void,
): HostileRow {
  return {
    name: `refs: ${name}`,
    build(origin) {
      change(origin, putEntries(origin, [toFile(origin, 'a.md', name)]))
    },
    expect,
  }
}

/** Builds a row with a valid pack in an invalid stream. */
function stream(name: string, expect: HostileRow['expect'], wrap: (pack: Buffer) => Buffer): HostileRow {
  return {
    name: `stream: ${name}`,
    build(origin) {
      putEntries(origin, [toFile(origin, 'a.md', name)])
      origin.stream = () => wrap(toPack(origin.store.objects.values()))
    },
    expect,
  }
}

function answer(
  response: http.ServerResponse,
  body: Buffer | string,
  headers: http.OutgoingHttpHeaders = {},
  status = 200,
) {
  response.writeHead(status, { 'content-type': 'application/x-git-upload-pack-result', ...headers }).end(body)
  return true
}

function redirect(response: http.ServerResponse, location: string): boolean {
  return answer(response, '', { location }, 302)
}

/** Sends the chunk repeatedly at the given interval and never ends the response. */
function pour(response: http.ServerResponse, chunk: Buffer, everyMs: number): boolean {
  response.writeHead(200, { 'content-type': 'application/x-git-upload-pack-result' })
  const send = () => {
    if (response.destroyed) return
    if (response.write(chunk)) setTimeout(send, everyMs)
    else response.once('drain', () => setTimeout(send, everyMs))
  }
  send()
  return true
}

const good = readable(['a.md'])
const toRefs = (count: number, tip: string) =>
  Buffer.concat([
    encodePkt(`${tip} HEAD symref-target:refs/heads/main\n`),
    encodePkt(`${tip} refs/heads/main\n`),
    ...Array.from({ length: count }, (_, i) => encodePkt(`${tip} refs/pull/${i}/head\n`)),
    FLUSH_PKT,
  ])
const capabilities =
  'multi_ack_detailed no-done side-band-64k thin-pack ofs-delta shallow filter symref=HEAD:refs/heads/main'
const toOldAdvertisement = (tip: string, more = 0) =>
  Buffer.concat([
    encodePkt('# service=git-upload-pack\n'),
    FLUSH_PKT,
    encodePkt(`${tip} HEAD\0${capabilities}\n`),
    encodePkt(`${tip} refs/heads/main\n`),
    ...Array.from({ length: more }, (_, i) => encodePkt(`${tip} refs/pull/${i}/head\n`)),
    FLUSH_PKT,
  ])
/** Responds like a host that does not support protocol v2. */
const old =
  (more: number): Respond =>
  (kind, response, origin) => {
    const tip = origin.refs.get('refs/heads/main') ?? ''
    if (kind === 'advertisement') return answer(response, toOldAdvertisement(tip, more))
    if (kind === 'refs') return answer(response, '', {}, 400)
    const shallow = [encodePkt(`shallow ${tip}\n`), FLUSH_PKT, encodePkt('NAK\n')]
    return answer(response, Buffer.concat([...shallow, toSideBand(toPack(origin.store.objects.values())), FLUSH_PKT]))
  }
const tipOf = (origin: HostileOrigin) => origin.refs.get('refs/heads/main') ?? ''
const band = (number: number, text: string) => encodePkt(Buffer.concat([Buffer.from([number]), Buffer.from(text)]))

export const hostRows: readonly HostileRow[] = [
  refs('no branches', refused('empty_repository'), (origin) => origin.refs.clear()),
  refs('HEAD at ../../etc', refused('branch_not_found'), (origin) => {
    origin.head = 'refs/heads/../../etc'
  }),
  refs('HEAD at a lock file', refused('branch_not_found'), (origin) => {
    origin.head = 'refs/heads/main.lock'
  }),
  refs('HEAD at a tag', refused('branch_not_found'), (origin) => {
    origin.head = 'refs/tags/v1'
  }),
  refs('HEAD at config', refused('branch_not_found'), (origin) => {
    origin.head = 'config'
  }),
  refs('names that leave the repository', good, (origin, tip) => {
    for (const name of ['refs/heads/../../x', '/etc/passwd', 'refs/heads/a\u001b[2J', 'HEAD.lock', '..'])
      origin.refs.set(name, tip)
  }),
  refs('a commit id that is a path', refused('protocol', 'empty_repository'), (origin) =>
    origin.refs.set('refs/heads/main', '../../../../etc/passwd'),
  ),
  refs('a commit id in upper case', refused('protocol'), (origin, tip) =>
    origin.refs.set('refs/heads/main', tip.toUpperCase()),
  ),
  refs('a missing commit', refused('corrupt_pack'), (origin) => origin.refs.set('refs/heads/main', '3'.repeat(40))),
  host('100,000 refs regardless of the request', good, (kind, response, origin) =>
    kind === 'refs' ? answer(response, toRefs(100_000, tipOf(origin))) : false,
  ),
  host('180,000 refs', refused('too_large'), (kind, response, origin) =>
    kind === 'refs' ? answer(response, toRefs(180_000, tipOf(origin))) : false,
  ),
  host('protocol v1 only', good, old(0), refused('protocol')),
  host('protocol v1 with 100,000 refs', good, old(100_000), refused('protocol')),
  host('a ref list of two million empty packets', refused('protocol'), (kind, response) =>
    kind === 'refs' ? answer(response, '0000'.repeat(2_000_000)) : false,
  ),
  host(
    'an advertisement with a line of 65,516 bytes',
    refused('protocol', 'network'),
    (kind, response) => (kind === 'advertisement' ? answer(response, encodePkt('x'.repeat(65_516))) : false),
    good,
  ),
  host(
    'an endless advertisement',
    refused('too_large'),
    (kind, response) => (kind === 'advertisement' ? pour(response, encodePkt('x'.repeat(65_000)), 0) : false),
    good,
  ),
  host('an endless ref list', refused('too_large'), (kind, response) =>
    kind === 'refs' ? pour(response, encodePkt(`${'1'.repeat(40)} refs/heads/x\n`.padEnd(60_000)), 0) : false,
  ),
  host('an error full of control characters and URLs', refused('server_error'), (kind, response) =>
    kind === 'refs' ? answer(response, encodePkt('ERR \u001b[2Jhttps://user:secret@host/\u0007\n')) : false,
  ),
  host('a sign-in page', refused('protocol'), (_kind, response) =>
    answer(response, '<!doctype html><title>Sign in</title>', { 'content-type': 'text/html' }),
  ),
  host('a server that supports only the dumb protocol', refused('protocol', 'network'), (_kind, response, origin) =>
    answer(response, `${tipOf(origin)}\trefs/heads/main\n`, { 'content-type': 'text/plain' }),
  ),
  host('an empty response', refused('network', 'protocol'), (_kind, response) => answer(response, '')),
  host(
    'a repository with SHA-256 object names',
    refused('protocol'),
    (kind, response) =>
      kind === 'advertisement'
        ? answer(response, Buffer.concat([encodePkt('version 2\n'), encodePkt('object-format=sha256\n'), FLUSH_PKT]))
        : false,
    good,
  ),
  host('a redirect to a file', refused('redirected'), (_kind, response) => redirect(response, 'file:///etc/passwd')),
  host('a redirect to a cloud metadata service', refused('redirected'), (_kind, response) =>
    redirect(response, 'http://169.254.169.254/latest/meta-data/info/refs?service=git-upload-pack'),
  ),
  host('a redirect to a different port', refused('redirected'), (_kind, response) =>
    redirect(response, 'http://127.0.0.1:1/x/info/refs?service=git-upload-pack'),
  ),
  host('a redirect loop', refused('redirected'), (_kind, response) => redirect(response, '?service=git-upload-pack')),
  host('a response that is a decompression bomb', refused('protocol', 'network'), (kind, response) =>
    kind === 'refs' ? answer(response, gzipSync(Buffer.alloc(20_000_000, '0')), { 'content-encoding': 'gzip' }) : false,
  ),
  host('a megabyte of headers', refused('network'), (_kind, response) =>
    answer(response, '', { 'x-large': 'h'.repeat(1_000_000) }),
  ),
  host('endless informational responses', refused('timeout'), (_kind, response) => {
    const send = () => {
      if (response.destroyed || response.socket?.destroyed !== false) return
      response.writeProcessing()
      setTimeout(send, 20)
    }
    send()
    return true
  }),
  host('no response', refused('timeout'), () => true),
  host('a ref list sent byte by byte', refused('timeout'), (kind, response) =>
    kind === 'refs' ? pour(response, Buffer.from('0'), 50) : false,
  ),
  host('a pack sent byte by byte', refused('timeout'), (kind, response) =>
    kind === 'pack' ? pour(response, Buffer.from('0'), 50) : false,
  ),
  host('an endless pack', refused('too_large', 'timeout'), (kind, response) =>
    kind === 'pack' ? pour(response, band(1, 'x'.repeat(65_000)), 0) : false,
  ),
  host('endless progress messages', refused('too_large', 'timeout'), (kind, response) =>
    kind === 'pack' ? pour(response, band(2, `${'working '.repeat(8_000)}\r`), 0) : false,
  ),
  host('a connection that breaks in the middle of a pack', refused('network'), (kind, response) => {
    if (kind !== 'pack') return false
    response.writeHead(200, { 'content-length': '100000' }).write('0010packfile\n')
    setTimeout(() => response.destroy(), 10)
    return true
  }),
  stream('a thousand progress messages', good, (pack) =>
    Buffer.concat([
      ...Array.from({ length: 1_000 }, (_, i) => band(2, `\u001b[2Jcounting ${i}\r`)),
      toSideBand(pack),
      FLUSH_PKT,
    ]),
  ),
  stream('a million empty messages', refused('protocol'), (pack) =>
    Buffer.concat([Buffer.from('0005\u0002'.repeat(1_000_000)), toSideBand(pack), FLUSH_PKT]),
  ),
  stream('a pack sent byte by byte', readable(['a.md']), (pack) => Buffer.concat([toSideBand(pack, 1), FLUSH_PKT])),
  stream('an error in the middle', refused('server_error'), (pack) =>
    Buffer.concat([toSideBand(pack.subarray(0, 30)), band(3, 'fatal: \u001b[2J//u:p@host'), FLUSH_PKT]),
  ),
  stream('a missing flush packet', refused('network'), (pack) => toSideBand(pack)),
  stream('packets with an impossible length', refused('protocol'), () => Buffer.from('0003')),
]
