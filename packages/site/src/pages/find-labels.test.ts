import { expect, it } from 'vitest'
import { readPage } from './read-page.ts'

const find = (text: string) =>
  readPage(new TextEncoder().encode(text), 'plain').undefinedLabels.map(
    ({ label, line, isCertain }) => `${line} ${label}${isCertain ? '' : '?'}`,
  )

it.each<[name: string, text: string, found: string[]]>([
  ['a full reference', 'Text,\nsee [the guide][Guide A] or ![an image][img].\n', ['2 guide a', '2 img']],
  [
    'a reference whose text has code or emphasis',
    '[`if` b][c], [*de* **e f**][g], [he `i[0]`][j]\n',
    ['1 c', '1 g', '1 j'],
  ],
  ['a reference in a heading and a table', '# [ab][c]\n\n| [de][f] | g |\n| - | - |\n', ['1 c', '3 f']],
  [
    'a collapsed reference',
    '[the guide][] and [Item][] and [string, number][]\n',
    ['1 the guide', '1 item?', '1 string, number?'],
  ],
  ['a shortcut', 'See [#12] and\n[`a b`].\n', ['1 #12?', '2 `a b`?']],
  [
    'defined references',
    'See [the guide][Guide], [guide][], [Guide]\nand [`a  b`][].\n\n[guide]: b.md\n[`A b`]: c.md\n',
    [],
  ],
  ['a reference before a footnote', '[the guide][^1]\n\n[the guide]: b.md\n[^1]: c\n', []],
  ['brackets that are no reference', 'a[0][b], x[y][z], \\[ab][c], `[ab][c]`, [ab](c), [link](d)[e] and [^1]: f\n', []],
  ['a label that names an object', '[an object][module.name]\n', []],
])('finds %s', (_, text, found) => {
  expect(find(text)).toEqual(found)
})

it('reads hostile pages in linear time', () => {
  for (const part of ['[a][a', '[a] ', '[a][b] ', '`[`', '[ab][c]\n', '![a'])
    expect(find(part.repeat(3_000)).length).toBeLessThanOrEqual(500)
})
