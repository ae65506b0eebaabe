import { createHash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Snapshot } from '../snapshot/snapshot.ts'
import { commitFiles, runGit, runGitBytes } from '../test-support/fixture.ts'
import type { Fault } from '../test-support/git-server.ts'
import { type Harness, startHarness } from '../test-support/harness.ts'
import { openWorkTree } from '../work-tree/open-work-tree.ts'
import { encodePkt, FLUSH_PKT, readPkts } from './pkt-line.ts'

const noise = (seed: number, bytes: number) => {
  let text = ''
  for (let i = 0; text.length < bytes; i++) text += `${createHash('sha256').update(`${seed} ${i}`).digest('base64')}\n`
  return text.slice(0, bytes)
}
const pages = Array.from({ length: 8 }, (_, i) => ({ path: `docs/d${i % 6}/page-${i}.md`, content: noise(i, 8_000) }))

function open(host: Harness, tenant = 't'): Promise<Snapshot> {
  return host.mirrors.openSnapshot({ tenant, url: host.url, branch: null, token: host.token })
}

async function readAll(snapshot: Snapshot): Promise<string> {
  const tree = await openWorkTree({ snapshot })
  const hash = createHash('sha1')
  for (const { path } of await tree.list()) hash.update(path).update(await tree.read(path))
  return hash.digest('hex')
}

function listMirrorVersions(host: Harness): string[] {
  if (!existsSync(host.cacheDir)) return []
  return readdirSync(host.cacheDir).flatMap((mirror) =>
    readdirSync(join(host.cacheDir, mirror))
      .filter((name) => name.startsWith('g-'))
      .map((name) => join(host.cacheDir, mirror, name)),
  )
}

const isFetch = (method: string | undefined, body: Buffer) => method === 'POST' && body.includes('command=fetch')
describe('an invalid host response', () => {
  let host: Harness
  beforeAll(async () => {
    host = await startHarness(pages, { blobLimit: null })
  })
  afterAll(() => host[Symbol.asyncDispose]())

  /** Alters the responses to the next downloads. */
  const injectFault = (host: Harness, change: (body: Buffer) => Buffer, times = 1): void => {
    let left = times
    let isDownload = false
    const fault: Fault = {
      before: (request, _response, body) => {
        isDownload = isFetch(request.method, body)
        return false
      },
      after: (_request, response, answer) => {
        if (!isDownload || left-- <= 0) return false
        response.writeHead(200, answer.headers).end(change(answer.body))
        return true
      },
    }
    host.server.fault = fault
  }
  const split = (body: Buffer) => {
    const pkts = [...readPkts(body)]
    const at = pkts.findIndex((pkt) => pkt.data.toString() === 'packfile\n')
    const head = body.subarray(0, pkts[at]?.end)
    const pack = Buffer.concat(
      pkts.slice(at + 1).map((pkt) => (pkt.data[0] === 1 ? pkt.data.subarray(1) : pkt.data.subarray(0, 0))),
    )
    return { head, pack }
  }
  const join16k = (head: Buffer, pack: Buffer, end: Buffer[] = [FLUSH_PKT]) => {
    const parts: Buffer[] = [head]
    for (let i = 0; i < pack.length; i += 16_000) {
      parts.push(encodePkt(Buffer.concat([Buffer.from([1]), pack.subarray(i, i + 16_000)])))
    }
    return Buffer.concat([...parts, ...end])
  }
  const seal = (pack: Buffer) => Buffer.concat([pack, createHash('sha1').update(pack).digest()])
  const remark = encodePkt('\u0003fatal: out of memory\n')

  const faults: [string, (body: Buffer) => Buffer, string][] = [
    [
      'an error inside the stream',
      (body) => join16k(split(body).head, split(body).pack.subarray(0, 99), [remark, FLUSH_PKT]),
      'server_error',
    ],
    [
      'an error instead of a stream',
      () => Buffer.concat([encodePkt('ERR upload-pack: no\n'), FLUSH_PKT]),
      'server_error',
    ],
    [
      'half a pack in a properly terminated stream',
      (body) => join16k(split(body).head, split(body).pack.subarray(0, split(body).pack.length >> 1)),
      'corrupt_pack',
    ],
    ['half a stream', (body) => body.subarray(0, body.length / 2), 'network'],
    ['an unterminated stream', (body) => body.subarray(0, -4), 'network'],
    [
      'a flipped bit',
      (body) => {
        const { head, pack } = split(body)
        const at = pack.length >> 1
        pack.writeUInt8((pack[at] ?? 0) ^ 4, at)
        return join16k(head, pack)
      },
      'corrupt_pack',
    ],
    [
      'an empty pack',
      (body) => {
        const none = seal(Buffer.from('5041434b0000000200000000', 'hex'))
        return join16k(split(body).head, none)
      },
      'corrupt_pack',
    ],
    [
      'bytes after the last object',
      (body) => {
        const { head, pack } = split(body)
        return join16k(head, seal(Buffer.concat([pack.subarray(0, -20), Buffer.from('more')])))
      },
      'corrupt_pack',
    ],
  ]

  it.each(faults)(
    '%s: a download fails, and neither leaves files nor damages the mirror',
    async (name, change, code) => {
      const before = listMirrorVersions(host)
      injectFault(host, change, 10)
      await expect(open(host, name)).rejects.toMatchObject({ code })
      expect(listMirrorVersions(host)).toEqual(before)
      host.server.fault = null
      const old = await open(host, name)
      const digest = await readAll(old)
      await old[Symbol.asyncDispose]()
      const tip = commitFiles(host.origin, 'main', [{ path: 'docs/d1/page-7.md', content: `${name}\n` }])
      injectFault(host, change, 10)
      await expect(open(host, name)).rejects.toThrow()
      host.server.fault = null
      await using again = await open(host, name)
      expect(again.commit).toBe(tip)
      expect(await readAll(again)).not.toBe(digest)
      const own = listMirrorVersions(host).filter((dir) => !before.includes(dir))
      expect(own).not.toEqual([])
      for (const dir of own) runGit(dir, ['fsck', '--full', '--strict'])
    },
  )

  it('rejects a delta against an object that the client does not have', async () => {
    await using host = await startHarness(pages)
    const text = noise(700, 20_000)
    await (await open(host))[Symbol.asyncDispose]()
    const other = commitFiles(host.origin, 'main', [{ path: 'big.md', content: `${text}one\n` }])
    const tip = commitFiles(host.origin, 'main', [{ path: 'big.md', content: `${text}two\n` }])
    const thin = runGitBytes(host.origin, ['pack-objects', '--thin', '--revs', '--stdout', '-q'], `${tip}\n^${other}\n`)
    injectFault(host, (body) => join16k(split(body).head, thin), 10)
    await expect(open(host)).rejects.toMatchObject({ code: 'corrupt_pack' })
    host.server.fault = null
    await using snapshot = await open(host)
    expect(snapshot.commit).toBe(tip)
  })

  it('rejects a pack with a missing file if no filter was requested', async () => {
    await using host = await startHarness(pages, { blobLimit: null })
    const objects = runGit(host.origin, ['rev-list', '--objects', '--no-object-names', 'main']).split('\n')
    const blob = runGit(host.origin, ['rev-parse', 'main:docs/d1/page-7.md'])
    const partial = runGitBytes(
      host.origin,
      ['pack-objects', '--stdout', '-q'],
      objects.filter((oid) => oid !== blob).join('\n'),
    )
    injectFault(host, (body) => join16k(split(body).head, partial), 10)
    await expect(open(host)).rejects.toMatchObject({ code: 'corrupt_pack' })
    expect(listMirrorVersions(host)).toEqual([])
  })
})
