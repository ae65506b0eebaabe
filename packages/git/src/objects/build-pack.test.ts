import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { buildPack, type PackEntry } from './build-pack.ts'
import { hashObject } from './hash-object.ts'

test('git reads every object of a pack, of any type and size', () => {
  const dir = mkdtempSync(join(tmpdir(), 'corrigenda-pack-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const git = (args: string[], input?: Uint8Array) =>
    execFileSync('git', ['-C', dir, ...args], { input, maxBuffer: 1 << 26 })
  git(['init', '--quiet', '--bare'])
  // The sizes at which the header of an entry grows, and one that is compressed at the fastest level.
  const blobs = [0, 1, 15, 16, 2_047, 2_048, 262_143, 262_144, 1_100_000].map(
    (size): PackEntry => ({ type: 'blob', bytes: Buffer.alloc(size, `${size} `) }),
  )
  const tree = { type: 'tree', bytes: Buffer.alloc(0) } as const
  const lines = [`tree ${hashObject('tree', tree.bytes)}`, 'author A <a@example.com> 1 +0000']
  const commit = {
    type: 'commit',
    bytes: Buffer.from(`${lines.join('\n')}\ncommitter A <a@example.com> 1 +0000\n\nx\n`),
  } as const
  const entries = [commit, tree, ...blobs]
  git(['index-pack', '--strict', '--stdin'], buildPack(entries))
  for (const { type, bytes } of entries) {
    expect(Buffer.compare(git(['cat-file', type, hashObject(type, bytes)]), bytes)).toBe(0)
  }
})
