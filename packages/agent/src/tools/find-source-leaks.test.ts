import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { expect, it } from 'vitest'
import type { AgentSource } from '../sources/agent-source.ts'
import { buildSource } from '../test-support/build-source.ts'
import { bytesOf } from '../test-support/build-tool-harness.ts'
import { findSourceLeaks } from './find-source-leaks.ts'
import type { SourceReads } from './source-reads.ts'

const removed = Array.from(
  { length: 8 },
  (_, line) => `  if (retries > limits[${line}]) await escalate(region, ${line * 17}, 'tier-${line}')`,
)
const API = buildSource({
  visibility: 'private',
  files: { 'src/a.ts': 'export const now = 1\n' },
  before: { 'src/a.ts': `${removed.join('\n')}\n` },
})
const SHOWN: SourceReads = { api: { ranges: {}, rows: [], diffs: ['src/a.ts'] } }
const COPY = `# A\n\n${removed.join('\n')}\n`

async function open(source: AgentSource = API) {
  const counted = { reads: 0 }
  const workspace = {
    ...source.workspace,
    async read(path: string) {
      counted.reads += 1
      return await source.workspace.read(path)
    },
  }
  const repository = buildMemoryWorkspace({ 'a.md': '# A\n' })
  await repository.write('a.md', bytesOf(COPY))
  const find = (rest: Partial<Parameters<typeof findSourceLeaks>[0]> = {}) =>
    findSourceLeaks({
      repository,
      sources: [{ ...source, workspace }],
      title: 'T',
      body: '',
      evidence: [],
      reads: SHOWN,
      ...rest,
    })
  return { repository, counted, find }
}

it('finds the lines that a diff showed and that the source no longer has', async () => {
  const { find } = await open()
  expect(await find()).toMatchObject([{ kind: 'passage', source: 'api', where: 'Lines 3 to 10 of "a.md"' }])
  // The run has not seen these lines.
  expect(await find({ reads: {} })).toEqual([])
  expect(await (await open({ ...API, quotable: ['src/**'] })).find()).toEqual([])
  expect(await (await open({ ...API, visibility: 'public' })).find()).toEqual([])
})

it('fails if the earlier files cannot be read', async () => {
  const { find } = await open({ ...API, recentChanges: () => Promise.reject(new Error('connection lost')) })
  await expect(find()).rejects.toThrow('connection lost')
})

it('reads the sources again only for another change', async () => {
  const { repository, counted, find } = await open()
  const first = await find()
  expect(counted.reads).toBe(1)
  expect(await find()).toEqual(first)
  expect(counted.reads).toBe(1)
  const note = { page: 'a.md', source: 'api', path: 'src/a.ts', fromLine: 1, toLine: 1, note: 'x' }
  for (const rest of [{ title: 'U' }, { body: 'x' }, { evidence: [note] }, { reads: {} }]) await find(rest)
  expect(counted.reads).toBe(5)
  await find()
  await repository.write('a.md', bytesOf('# B\n'))
  expect(await find()).toEqual([])
  expect(counted.reads).toBe(7)
})
