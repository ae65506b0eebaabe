import { expect, test } from 'vitest'
import { findToolCall, formatCallSubject, type ToolCall, toCallSubject } from './tool-call.ts'
import { TOOL_NAMES, type ToolName } from './tool-inputs.ts'

const show = (name: string, input: unknown) => {
  const call = findToolCall({ name, input })
  return call === null ? null : formatCallSubject(toCallSubject(call))
}

test('formats the subject of each tool call', () => {
  const inputs: Record<ToolName, unknown> = {
    list_files: { glob: '**/*.md' },
    search: { query: 'words', glob: '*.md' },
    view: { path: 'a.md', view_range: [1, 2] },
    source_changes: { source: 'api' },
    create: { path: 'a.md', file_text: 'x' },
    edit: { path: 'a.md', old_str: 'x', new_str: 'y' },
    insert: { path: 'a.md', insert_line: 0, insert_text: 'x' },
    move: { path: 'a.md', new_path: 'b/a.md' },
    delete: { path: 'a.md' },
    rename_heading: { path: 'a.md', heading: 'Old', new_heading: 'New' },
    check_docs: { scope: 'all' },
    finish: { outcome: 'changed', title: 'T' },
  }
  expect(TOOL_NAMES.map((name) => `${name}: ${show(name, inputs[name])}`)).toEqual([
    'list_files: **/*.md',
    'search: words',
    'view: a.md',
    'source_changes: api',
    'create: a.md',
    'edit: a.md',
    'insert: a.md',
    'move: a.md → b/a.md',
    'delete: a.md',
    'rename_heading: a.md → New',
    'check_docs: ',
    'finish: changed',
  ])
})

test('names the source that a call reads', () => {
  expect(show('view', { source: 'api', path: 'src/a.ts' })).toBe('api: src/a.ts')
  expect(show('search', { source: 'api', query: 'words' })).toBe('api: words')
  expect(show('list_files', { source: 'api' })).toBe('api')
  expect(show('source_changes', { source: 'api', path: 'src/a.ts' })).toBe('api: src/a.ts')
  expect(show('view', { source: 1, path: 'a.md' })).toBe('a.md')
})

test('keeps the valid inputs of an invalid tool call', () => {
  expect(show('edit', { path: 'a.md', old_str: null })).toBe('a.md')
  expect(show('move', { path: 'a.md', new_path: 1 })).toBe('a.md')
  expect(show('move', { from: 'a.md', to: 'b.md' })).toBe('')
  expect([null, 'x', [1], {}, { path: 1 }].map((input) => show('view', input))).toEqual(['', '', '', '', ''])
  expect(show('rename', { path: 'a.md' })).toBeNull()
  expect(show('constructor', {})).toBeNull()
})

test('a wrong tool input field does not compile', () => {
  const call: ToolCall = { name: 'move', input: { path: 'a.md', new_path: 'b.md' } }
  // @ts-expect-error: the target of a move is `new_path`
  expect(call.input.to).toBeUndefined()
  // @ts-expect-error: the target of a move is `new_path`
  const wrong: ToolCall = { name: 'move', input: { from: 'a.md', to: 'b.md' } }
  expect(toCallSubject(wrong)).toEqual({ subject: null, target: null, source: null })
})
