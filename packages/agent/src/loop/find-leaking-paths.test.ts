import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { expect, it } from 'vitest'
import { buildSource } from '../test-support/build-source.ts'
import { bytesOf } from '../test-support/build-tool-harness.ts'
import { findLeakingPaths } from './build-release.ts'

const CODE = Array.from(
  { length: 8 },
  (_, line) => `  if (usage > quotas[${line}]) await bill(account, ${line * 13}, 'x')`,
)
const REMOVED = CODE.map((line) => line.replace('bill', 'refund'))
const source = buildSource({
  visibility: 'private',
  cite: 'none',
  files: { 'src/bill.ts': CODE.join('\n'), 'src/quota-ledger.ts': 'run()\n' },
  before: { 'src/bill.ts': REMOVED.join('\n'), 'src/quota-ledger.ts': 'run()\n' },
})

async function find(files: Record<string, string>, reads = {}, sources = [source]) {
  const workspace = buildMemoryWorkspace({ 'a.md': '# A\n', 'b.md': '# B\n' })
  for (const [path, text] of Object.entries(files)) await workspace.write(path, bytesOf(text))
  return [...(await findLeakingPaths({ workspace, sources }, reads))].sort()
}

it('returns the files with text of a private source', async () => {
  const page = `# A\n\n${CODE.join('\n')}\n`
  expect(await find({ 'a.md': page, 'b.md': '# B\n\nBills are sent in May.\n' })).toEqual(['a.md'])
  expect(await find({ 'a.md': page }, {}, [{ ...source, visibility: 'public' }])).toEqual([])
  // A passage that several pages share is in each of them.
  expect(await find({ 'a.md': CODE.slice(0, 4).join('\n'), 'b.md': CODE.slice(4).join('\n') })).toEqual([
    'a.md',
    'b.md',
  ])
  const token = Buffer.from(`token ghp_${'aZ3kQ9pLm2Xc7VbN5tRw8YhJ4gFd6SsE1uIo'}`)
  for (const coding of ['utf8', 'hex'] as const) {
    expect(await find({ 'b.md': `# B\n\n${token.toString(coding)}\n` })).toEqual(['b.md'])
  }
})

it('returns the files with lines that only a diff showed', async () => {
  const page = { 'a.md': REMOVED.join('\n') }
  expect(await find(page)).toEqual([])
  expect(await find(page, { api: { ranges: {}, rows: [], diffs: ['src/bill.ts'] } })).toEqual(['a.md'])
})

it('returns all new files if one of their names is private', async () => {
  const files = { 'a.md': '# A\n\nText.\n', 'src/quota-ledger.ts': '# C\n', 'c.md': '# C\n' }
  expect(await find(files)).toEqual(['c.md', 'src/quota-ledger.ts'])
})
