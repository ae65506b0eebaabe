import { expect, it } from 'vitest'
import type { Dialect } from './dialect.ts'
import { readPage } from './read-page.ts'

const find = (text: string, dialect: Dialect = 'plain') =>
  readPage(new TextEncoder().encode(text), dialect).problems.map(({ code, line }) => `${line} ${code}`)

it.each<[name: string, text: string, found: string[]]>([
  ['code without an end', '# A\n\n```js\na\n\n## B\n', ['3 fence_unclosed']],
  ['code that contains the start of other code', '```js\na\n\n## B\n\n```sh\nb\n```\n', ['1 fence_unclosed']],
  ['closed code', '```js\na\n```\n\n~~~\n```\n~~~\n', []],
  ['code in a longer fence', '````md\n```js\na\n```\n````\n', []],
  ['code that the end of a list closes', '- ```js\n  a\n\nText\n', []],
  ['a delimiter row with too few columns', '| a | b |\n| - |\n| 1 | 2 |\n', ['2 table_broken']],
  ['a delimiter row with too many columns', 'a | b\n-|-|-\n1 | 2\n', ['2 table_broken']],
  ['a table', '| a | b |\n| :- | -: |\n| 1 | 2 |\n', []],
  ['a heading after a pipe', 'a | b\n---\n', []],
])('finds %s', (_, text, found) => {
  expect(find(text)).toEqual(found)
  expect(find(`Text\n\n${text}`, 'mdx')).toEqual(
    found.map((row) => row.replace(/^\d+/, (line) => `${Number(line) + 2}`)),
  )
})

it('reads hostile pages in linear time', () => {
  for (const text of ['|-', '| a\n-', '```a\n']) expect(find(`${text.repeat(2_000)}`).length).toBeLessThanOrEqual(100)
})
