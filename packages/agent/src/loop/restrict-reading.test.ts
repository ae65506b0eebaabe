import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { describe, expect, it } from 'vitest'
import { buildReadableView } from '../policy/build-readable-view.ts'
import { buildPathPolicy } from '../policy/path-policy.ts'
import { buildToolHarness } from '../test-support/build-tool-harness.ts'
import type { ScriptedCall } from '../test-support/script-model.ts'
import { CHANGED } from '../test-support/script-model.ts'
import { startAgent } from '../test-support/start-agent.ts'
import { readInstructions } from './read-instructions.ts'

const SECRET = 'topsecret'
const FILES = {
  'AGENTS.md': `Mind the ${SECRET}.\n`,
  'docs/AGENTS.md': `Never mention ${SECRET}.\n`,
  'docs/a.md': '# A\n\nWords. See [the plan](../internal/plan.md).\n',
  'docs/c.md': '# C\n',
  'internal/plan.md': `# Plan\n\n## ${SECRET} heading\n\nThe ${SECRET} is in [${SECRET}](../docs/a.md#a).\n`,
  'mkdocs.yml': `site_name: ${SECRET}\nnav:\n  - a.md\n`,
}
const READABLE = { readable: [['docs/**', 'internal/**'], ['docs/[a-z].md']] }
const HIDDEN = 'internal/plan.md'

describe('a file that the agent may not read', () => {
  it.each<ScriptedCall>([
    ['list_files', { depth: 9 }],
    ['list_files', { path: 'internal' }],
    ['list_files', { glob: '**/*.md' }],
    ['search', { query: SECRET }],
    ['search', { query: `${SECRET.slice(0, 5)}.*`, mode: 'regex', output: 'files', glob: '**' }],
    ['search', { query: `the ${SECRET} words`, context: 5 }],
    ['view', { path: HIDDEN }],
    ['view', { path: `./${HIDDEN}` }],
    ['view', { path: 'INTERNAL/PLAN.md' }],
    ['view', { path: 'docs/a.md' }],
    ['edit', { path: HIDDEN, old_str: 'The', new_str: 'A' }],
    ['insert', { path: HIDDEN, insert_line: 1, insert_text: 'x' }],
    ['create', { path: HIDDEN, file_text: 'x' }],
    ['create', { path: 'internal/new.md', file_text: 'x' }],
    ['rename_heading', { path: HIDDEN, heading: 'Plan', new_heading: 'New' }],
    ['rename_heading', { path: 'docs/a.md', heading: 'A', new_heading: 'New' }],
    ['move', { path: HIDDEN, new_path: 'docs/plan.md' }],
    ['move', { path: 'docs/a.md', new_path: 'internal/a.md' }],
    ['move', { path: 'docs/a.md', new_path: 'docs/b.md' }],
    ['delete', { path: HIDDEN }],
    ['check_docs', { scope: 'all' }],
  ])('is not shown or changed by %s %j', async (name, input) => {
    const { call, workspace } = buildToolHarness(FILES, READABLE)
    expect((await call(name, input)).text).not.toContain(SECRET)
    expect((await workspace.changes()).map(({ path }) => path)).not.toContain(HIDDEN)
    expect((await workspace.changes()).filter(({ path }) => path.startsWith('internal/'))).toEqual([])
  })

  it('is named as such', async () => {
    const { call } = buildToolHarness(FILES, READABLE)
    const text = `"${HIDDEN}" cannot be read or changed. The settings of this project exclude it.`
    expect(await call('view', { path: HIDDEN })).toEqual({ text, isError: true })
    expect((await call('edit', { path: HIDDEN, old_str: 'x', new_str: 'y' })).text).toContain(text)
    expect((await call('list_files', { depth: 9 })).text).not.toContain('internal')
  })

  it('is checked, but an issue in it is reported without its text', async () => {
    const { call } = buildToolHarness(FILES, READABLE)
    await call('delete', { path: 'docs/a.md' })
    const { text } = await call('check_docs', {})
    expect(text).toContain('internal/plan.md: [links] There is an issue in this file, which you may not read.')
  })

  it('cannot be included in a page', async () => {
    const files = { 'docs/.vitepress/config.js': 'export default {}', 'docs/a.md': '# A\n', 'docs/plan.md': 'Plan.\n' }
    const include = { path: 'docs/a.md', insert_line: 1, insert_text: '\n<!--@include: ./plan.md-->\n' }
    const finish = async (readable: string[]) => {
      const { call } = buildToolHarness(files, { readable: [readable] })
      expect((await call('insert', include)).isError).toBe(false)
      return await call('finish', CHANGED)
    }
    expect((await finish(['docs/**'])).isError).toBe(false)
    expect((await finish(['docs/a.md'])).text).toContain('adds an include of a file outside the documentation')
  })
})

it('instruction files, the sites and a continued conversation contain only readable files', async () => {
  const policy = buildPathPolicy(READABLE)
  const harness = startAgent({
    files: { ...FILES, 'docs/sub/AGENTS.md': SECRET, 'docs/sub/b.md': '# B\n' },
    policy: { readable: [['docs/[a-z].md', 'docs/sub/b.md']] },
    input: { instructions: await readInstructions(buildReadableView(buildMemoryWorkspace(FILES), policy)) },
  })
  const { requests, result } = await harness.script([
    {
      calls: [
        ['view', { path: 'docs/sub/b.md' }],
        ['edit', { path: 'docs/a.md', old_str: 'Words', new_str: 'Text' }],
      ],
    },
    { calls: [['finish', CHANGED]] },
    { calls: [['finish', CHANGED]] },
  ])
  expect(result).toMatchObject({ kind: 'finished', outcome: 'changed' })
  const text = JSON.stringify(requests)
  expect(text.includes('only paths that you may read (docs/[a-z].md, docs/sub/b.md)')).toBe(true)
  expect(text.includes(SECRET)).toBe(false)
})
