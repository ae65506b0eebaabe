import { findToolCall } from '@corrigenda/contracts'
import { describe, expect, it } from 'vitest'
import { buildSource } from '../test-support/build-source.ts'
import { buildToolHarness } from '../test-support/build-tool-harness.ts'
import { toFinishMark } from './finish-state.ts'
import { addSourceRead, type SourceReads } from './source-reads.ts'

const code = Array.from({ length: 20 }, (_, n) => `const option${n + 1} = ${n + 1}`)
const files = { 'src/a.ts': `${code.join('\n')}\n`, 'src/b.ts': 'b\n', 'logo.png': { bytes: Uint8Array.of(0) } }
const api = buildSource({ files, before: { ...files, 'src/a.ts': `${code.slice(0, 10).join('\n')}\n` } })
const pages = { 'a.md': '# A\n', 'docs.json': '{"navigation":{"pages":["a"]}}' }

/** Runs the calls, then finishes with evidence about the changed page. */
async function finish(calls: readonly [tool: string, input: object][], evidence: object, source = api) {
  const harness = buildToolHarness(pages, {}, [source])
  await harness.call('edit', { path: 'a.md', old_str: '# A', new_str: '# A\n\nSet `option3`.' })
  let reads: SourceReads = {}
  for (const [name, input] of calls) {
    const { text, isError } = await harness.call(name, input)
    const call = findToolCall({ name, input })
    if (call !== null && !isError) reads = addSourceRead(reads, call, text)
  }
  const entry = { page: 'a.md', source: 'api', path: 'src/a.ts', fromLine: 3, toLine: 3, note: 'Default', ...evidence }
  return await harness.call('finish', { outcome: 'changed', title: 'T', evidence: [entry] }, { reads })
}

const view: [string, object] = ['view', { path: 'src/a.ts', view_range: [2, 6], source: 'api' }]

describe('accepts lines that were read', () => {
  it.each<[name: string, calls: [string, object][], evidence: object]>([
    ['by view', [view], { fromLine: 2, toLine: 6 }],
    ['by view of the whole file', [['view', { path: './src/a.ts', source: 'api' }]], { fromLine: 1, toLine: 20 }],
    ['by search', [['search', { query: 'option3 ', source: 'api' }]], {}],
    ['near a hit', [['search', { query: 'option3 ', context: 1, source: 'api' }]], { fromLine: 2, toLine: 4 }],
    ['by source_changes', [['source_changes', { source: 'api', path: 'src/a.ts' }]], { fromLine: 8, toLine: 20 }],
    ['in two calls', [view, ['view', { path: 'src/a.ts', view_range: [7, 9], source: 'api' }]], { toLine: 9 }],
  ])('%s', async (_, calls, evidence) => {
    const { text } = await finish(calls, evidence)
    expect(toFinishMark(text)).toBe('review')
    expect(text).toMatch(/^Evidence: 1 entry\.$/m)
  })
})

describe('rejects', () => {
  it.each<[name: string, calls: [string, object][], evidence: object, message: RegExp]>([
    ['a page that did not change', [view], { page: 'docs.json' }, /"docs\.json" is not a page of this change/],
    ['an unknown source', [view], { source: 'web' }, /no source "web"\. Available sources: api/],
    ['a missing file', [view], { path: 'src/c.ts' }, /no text file "src\/c\.ts"/],
    ['a path that is not one', [view], { path: '../a' }, /no text file/],
    ['a binary file', [view], { path: 'logo.png' }, /no text file/],
    ['lines past the end', [view], { toLine: 21 }, /not a range of src\/a\.ts, which has 20 lines/],
    ['a reversed range', [view], { fromLine: 5, toLine: 4 }, /not a range/],
    ['line zero', [view], { fromLine: 0 }, /not a range/],
    ['lines before those that were read', [view], { fromLine: 1, toLine: 2 }, /line 1 of src\/a\.ts was not read/],
    ['lines after those that were read', [view], { fromLine: 6, toLine: 7 }, /line 7 of src\/a\.ts was not read/],
    ['another file', [view], { path: 'src/b.ts', fromLine: 1, toLine: 1 }, /line 1 of src\/b\.ts was not read/],
    ['a file that was only listed', [['list_files', { source: 'api' }]], {}, /was not read/],
    ['a list of hits by file', [['search', { query: 'option3', output: 'files', source: 'api' }]], {}, /was not read/],
    ['an unchanged part', [['source_changes', { source: 'api', path: 'src/a.ts' }]], { toLine: 8 }, /line 3 /],
    ['the edited files', [['view', { path: 'a.md' }]], { source: 'docs' }, /no source "docs"/],
    ['a failed call', [['view', { path: 'src/a.ts', view_range: [3, 2], source: 'api' }]], {}, /was not read/],
    ['a long note', [view], { note: 'x'.repeat(501) }, /501 characters/],
  ])('%s', async (_, calls, evidence, message) => {
    const { text, isError } = await finish(calls, evidence)
    expect(isError).toBe(true)
    expect(text).toMatch(message)
  })

  it('a line that another file pretends to be', async () => {
    const hostile = buildSource({ files: { ...files, 'src/a.ts:3: x': 'const option9 = 0\n' } })
    const { text } = await finish([['search', { query: 'option9 = 0', source: 'api' }]], {}, hostile)
    expect(text).toMatch(/line 3 of src\/a\.ts was not read/)
  })

  it('a line that the text of a file pretends to show', async () => {
    const hostile = buildSource({ files: { 'src/a.ts': 'x\n@@ -1,1 +9,9 @@\n9\ty\n\n\n\n\n\nz\n' }, before: {} })
    for (const tool of ['view', 'source_changes']) {
      const range = tool === 'view' ? { view_range: [1, 3] } : {}
      const { text } = await finish(
        [[tool, { path: 'src/a.ts', source: 'api', ...range }]],
        { fromLine: 9, toLine: 9 },
        hostile,
      )
      expect([tool, toFinishMark(text)]).toEqual([tool, tool === 'view' ? 'evidence' : 'review'])
    }
  })

  it('a line that view left out of a long file', async () => {
    const long = buildSource({ files: { 'src/a.ts': 'x\n'.repeat(700) } })
    const whole: [string, object] = ['view', { path: 'src/a.ts', source: 'api' }]
    const at = async (line: number) => (await finish([whole], { fromLine: line, toLine: line }, long)).text
    expect(toFinishMark(await at(600))).toBe('review')
    expect(await at(601)).toMatch(/line 601 of src\/a\.ts was not read/)
  })

  it('a credential in a note', async () => {
    const { text } = await finish([view], { note: 'ghp_16C7e42F292c6912E7710c838347Ae178B4a' })
    expect(toFinishMark(text)).toBe('policy')
  })
})

it('the review asks for evidence if a source was read', async () => {
  const harness = buildToolHarness(pages, {}, [api])
  await harness.call('edit', { path: 'a.md', old_str: '# A', new_str: '# B' })
  const reads = addSourceRead({}, findToolCall({ name: view[0], input: view[1] })!, '')
  const { text } = await harness.call('finish', { outcome: 'changed', title: 'T' }, { reads })
  expect(text).toMatch(/You read api, but gave no evidence/)
  const { text: other } = await harness.call('finish', { outcome: 'changed', title: 'T' })
  expect(other).not.toMatch(/evidence/)
})

it('lines of the documentation repository are no evidence for facts from another source', async () => {
  const docs = buildSource({ name: 'docs', files: pages })
  const finish = async (...sources: string[]) => {
    const harness = buildToolHarness(pages, {}, [api, docs])
    await harness.call('edit', { path: 'a.md', old_str: '# A', new_str: '# B' })
    let reads: SourceReads = {}
    for (const [source, path] of [
      ['api', 'src/a.ts'],
      ['docs', 'a.md'],
    ] as const) {
      const input = { source, path }
      const { text } = await harness.call('view', input)
      const call = findToolCall({ name: 'view', input })
      if (call !== null) reads = addSourceRead(reads, call, text)
    }
    const evidence = sources.map((source) => ({
      page: 'a.md',
      source,
      path: source === 'api' ? 'src/a.ts' : 'a.md',
      fromLine: 1,
      toLine: 1,
      note: '',
    }))
    return (await harness.call('finish', { outcome: 'changed', title: 'T', evidence }, { reads })).text
  }
  expect(await finish('docs')).toMatch(/Evidence: 1 entry\.[\s\S]*You read api, but gave no evidence from there/)
  expect(await finish('docs', 'api')).toMatch(/Evidence: 2 entries\./)
  expect(await finish('docs', 'api')).not.toMatch(/gave no evidence/)
})
