import { buildMemoryWorkspace, type MemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { buildRandom, type Random, SEED } from '@corrigenda/site/internal/test-support/build-random'
import { buildPageReader } from '@corrigenda/site/thread'
import { describe, expect, it } from 'vitest'
import { buildPathPolicy } from '../policy/path-policy.ts'
import { create } from './create.ts'
import { deleteFile } from './delete.ts'
import { edit } from './edit.ts'
import { NOT_FINISHED } from './finish-state.ts'
import { insert } from './insert.ts'
import { move } from './move.ts'
import type { ToolContext } from './tool.ts'

const EDITS = Number(process.env.EDITS ?? 100)

/** Realistic lines without links that a move would rewrite. */
const LINES = [
  'plain text',
  '',
  '   indented',
  '\tone tab\tand another',
  'trailing spaces   ',
  'emoji 👩‍👩‍👧‍👦 🏳️‍🌈 and a flag 🇩🇪',
  'العربية ‏ و עברית',
  'combining e\u0301 a\u030A vs é å',
  'odd \u2028 line \u2029 separators \u0085 and \u00A0 spaces \u200B zero \u2060',
  'astral 𝒳 𠮷 and BOM inside \uFEFF',
  'form\ffeed and vertical\vtab, bell \u0007',
  '```js',
  '[link](https://x.example/a_(b)) `code` **x**',
  '| a | b |',
  '- item',
  'a lone carriage return \r in a line',
]
const ENDS = ['\n', '\r\n'] as const

interface Model {
  readonly bom: boolean
  /** Each line with its line ending. The last line may have an empty one. */
  readonly lines: { text: string; end: string }[]
}

function buildModel(random: Random): Model {
  const style = random.pick(['\n', '\r\n', 'mixed'])
  const count = random.below(30)
  const lines = Array.from({ length: count }, (_, n) => ({
    // The number makes each line unique.
    text: `${random.pick(LINES)} #${n}`,
    end: style === 'mixed' ? random.pick(ENDS) : style,
  }))
  const last = lines.at(-1)
  if (last !== undefined && random.below(3) === 0) last.end = ''
  return { bom: random.below(4) === 0, lines }
}

const render = ({ bom, lines }: Model) => (bom ? '\uFEFF' : '') + lines.map(({ text, end }) => text + end).join('')
const encode = (text: string) => new TextEncoder().encode(text)

function buildContext(workspace: MemoryWorkspace): ToolContext {
  return {
    workspace,
    repository: workspace,
    whole: workspace,
    // This test compares bytes only. The checks have separate tests.
    checkDocs: async () => [],
    pages: buildPageReader(),
    policy: buildPathPolicy({
      maxFileBytes: 4_000_000,
      maxFiles: 1_000,
      maxChangedLines: 1_000_000,
      maxDiffBytes: 100_000_000,
    }),
    knownSecrets: [],
    sources: [],
    reads: {},
    finish: NOT_FINISHED,
    lastTurn: false,
  }
}

/** Returns the most frequent line ending. */
function toUsual({ lines }: Model): string {
  const crlf = lines.filter(({ end }) => end === '\r\n').length
  const all = lines.filter(({ end }) => end !== '').length
  return crlf * 2 > all ? '\r\n' : '\n'
}

describe(`${EDITS} tool edits change only the intended bytes (SEED=${SEED})`, () => {
  it('with edit and insert', async () => {
    const random = buildRandom(SEED)
    for (let round = 0; round < EDITS; round += 1) {
      const model = buildModel(random)
      const before = render(model)
      const workspace = buildMemoryWorkspace({ 'page.md': before, 'other.md': '\uFEFFother\r\n' })
      const context = buildContext(workspace)
      const at = random.below(model.lines.length + 1)
      const usual = toUsual(model)
      const fresh = random.pick(['new 🙂 line', 'two\nlines', 'tab\t\u2028odd'])
      const label = `round ${round}: ${JSON.stringify(before)}`
      const line = model.lines[at]
      if (line !== undefined && random.below(2) === 0) {
        // Replaces the whole line or part of it.
        const part = random.pick([line.text, line.text.slice(-4).trim(), `#${at}`])
        const expected = line.text.replace(part, () => fresh.replaceAll('\n', usual))
        const count = model.lines.reduce((sum, other) => sum + other.text.split(part).length - 1, 0)
        if (count !== 1 || !part.isWellFormed()) continue
        await edit.call(context, { path: 'page.md', old_str: part, new_str: fresh })
        const lines = model.lines.map((other) => (other === line ? { ...other, text: expected } : other))
        expect(workspace.text('page.md'), label).toBe(render({ ...model, lines }))
      } else {
        await insert.call(context, { path: 'page.md', insert_line: at, insert_text: `${fresh}\n` })
        const now = workspace.text('page.md')
        const [head, tail] = [model.lines.slice(0, at), model.lines.slice(at)].map((lines) =>
          lines.map(({ text, end }) => text + end).join(''),
        )
        const mark = model.bom ? '\uFEFF' : ''
        expect(now.startsWith(mark + head), label).toBe(true)
        expect(now.endsWith(tail ?? ''), label).toBe(true)
        const middle = now.slice(mark.length + (head ?? '').length, now.length - (tail ?? '').length)
        expect(middle.replaceAll('\r\n', '\n').trim(), label).toBe(fresh)
      }
      expect(workspace.text('other.md')).toBe('\uFEFFother\r\n')
    }
  })

  it('with create, move and delete', async () => {
    const random = buildRandom(SEED + 1)
    for (let round = 0; round < EDITS / 20; round += 1) {
      const [one, two] = [render(buildModel(random)), render(buildModel(random))]
      const links = random.pick(ENDS)
      const page = `\uFEFF# P${links}[a](one.md#x)${links}${two.replace(/^\uFEFF/, '').replaceAll('```', '~')}`
      const workspace = buildMemoryWorkspace({ 'one.md': one, 'page.md': page, 'two.md': two })
      const context = buildContext(workspace)
      const label = `round ${round}: ${JSON.stringify(page)}`
      await create.call(context, { path: 'new.md', file_text: one.replace(/^\uFEFF/, '') })
      expect(workspace.text('new.md'), label).toBe(one.replace(/^\uFEFF/, ''))
      await move.call(context, { path: 'one.md', new_path: 'sub/one.md' })
      expect(workspace.text('sub/one.md'), label).toBe(one)
      expect(workspace.text('page.md'), label).toBe(page.replace('(one.md#x)', '(sub/one.md#x)'))
      await deleteFile.call(context, { path: 'two.md', remove_entries: true })
      expect(
        (await workspace.changes()).map(({ path }) => path),
        label,
      ).toEqual(['new.md', 'one.md', 'page.md', 'sub/one.md', 'two.md'])
    }
  })

  it('with edit and insert in a file that contains a line longer than one megabyte', async () => {
    const long = 'word 🙂 '.repeat(150_000)
    const before = `first\r\n${long}MARK${long}\r\nlast`
    const workspace = buildMemoryWorkspace({ 'page.md': encodeFile(before) })
    await edit.call(buildContext(workspace), { path: 'page.md', old_str: 'MARK', new_str: 'x' })
    expect(workspace.text('page.md') === before.replace('MARK', 'x')).toBe(true)
    await insert.call(buildContext(workspace), { path: 'page.md', insert_line: 1, insert_text: 'between' })
    expect(workspace.text('page.md') === before.replace('MARK', 'x').replace('first\r\n', 'first\r\nbetween\r\n')).toBe(
      true,
    )
  })
})

const encodeFile = (text: string) => ({ bytes: encode(text) })
