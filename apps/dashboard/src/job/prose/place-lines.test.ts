import { createTwoFilesPatch } from 'diff'
import { expect, test } from 'vitest'
import { parseFilePatch } from '../patch/file-patch.ts'
import { buildProse } from './build-prose.ts'
import { placeLines } from './place-lines.ts'

const SIGNS = { same: ' ', added: '+', removed: '-' } as const

function place(before: string, after: string) {
  const patch = createTwoFilesPatch('a/a.md', 'b/a.md', before, after, undefined, undefined, { context: 100 })
  const [hunk] = parseFilePatch({ path: 'a.md', patch, omitted: null }).hunks
  if (!hunk) throw new Error('no hunk')
  const prose = buildProse(hunk)
  if (prose.kind !== 'prose') throw new Error(prose.reason)
  return { hunk, rows: placeLines(hunk.lines, prose.pairs) }
}

const show = (before: string, after: string) =>
  place(before, after).rows.map(({ lines }) => lines.map(({ kind, text }) => SIGNS[kind] + text).join('|'))

test('places each block next to its own lines, even if several adjacent blocks were edited', () => {
  expect(
    show(
      '# Title\n\nOne old sentence here.\n- a point that stays as it is\n- a point that has old words\n\nEnd.\n',
      '# Title\n\nOne new sentence here.\n- a point that stays as it is\n- a point that has new words\n- more\n\nEnd.\n',
    ),
  ).toEqual([
    ' # Title| ',
    '-One old sentence here.|+One new sentence here.',
    ' - a point that stays as it is',
    '-- a point that has old words|+- a point that has new words',
    '+- more| ',
    ' End.',
  ])
  expect(show('Apples are red.\nBread is old.\n', 'Apples are green.\n\nBread is new.\n').join('#')).toContain('#')
})

test('places inserted and removed blocks next to their lines and keeps leading and trailing empty lines', () => {
  expect(show('\nThis sentence was removed.\n\nStays.\n', '\nStays.\n\nQuite another thing.\n\n')).toEqual([
    '-This sentence was removed.|-',
    ' | Stays.|+',
    '+Quite another thing.|+',
  ])
})

test('splits a long code block into rows marked as first, middle and last', () => {
  const code = Array.from({ length: 50 }, (_, index) => `line ${index}`)
  const { rows } = place('Words.\n', `Words.\n\n\`\`\`sh\n${code.join('\n')}\n\`\`\`\n`)
  expect(rows.map(({ part }) => part)).toEqual([null, 'first', 'middle', 'last'])
  expect(
    rows.slice(1).map(({ pair }) => (pair?.after?.kind === 'lines' ? [pair.after.info, pair.after.lines.length] : [])),
  ).toEqual([
    ['sh', 20],
    ['', 20],
    ['', 10],
  ])
  expect(rows[1]?.lines.map(({ text }) => text).slice(0, 2)).toEqual(['```sh', 'line 0'])
  expect(rows[2]?.lines[0]?.text).toBe('line 20')
  expect(rows[3]?.lines.at(-1)?.text).toBe('```')
})

test('splits the lines of a long paragraph into rows and shows its text once', () => {
  const { rows } = place('x\n', `${Array.from({ length: 45 }, (_, index) => `word ${index}`).join('\n')}\n`)
  expect(rows.map(({ lines, pair }) => [lines.length, pair !== null])).toEqual([
    [1, true],
    [20, true],
    [20, false],
    [5, false],
  ])
})

test('places every line exactly once for random edits', () => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
    return seed % below
  }
  const KINDS = [
    '# H',
    '',
    '- item',
    'words of prose',
    '```',
    'code',
    '> quote',
    '| a | b |',
    '|---|---|',
    '---',
    '<A>',
  ]
  const line = () => `${KINDS[random(KINDS.length)]} ${random(4)}`.trimEnd()
  for (let round = 0; round < 300; round += 1) {
    const before = Array.from({ length: random(30) + 1 }, line)
    const after = before.flatMap((text) => (random(4) === 0 ? [] : random(4) === 0 ? [text, line()] : [text]))
    const [hunk] = parseFilePatch({
      path: 'a.md',
      patch: createTwoFilesPatch('a', 'b', before.join('\n'), after.join('\n'), undefined, undefined, { context: 99 }),
      omitted: null,
    }).hunks
    const prose = hunk ? buildProse(hunk) : null
    if (!hunk || prose?.kind !== 'prose') continue
    const placed = placeLines(hunk.lines, prose.pairs).flatMap(({ lines }) => lines)
    expect(placed).toHaveLength(hunk.lines.length)
    expect(new Set(placed)).toEqual(new Set(hunk.lines))
  }
})
