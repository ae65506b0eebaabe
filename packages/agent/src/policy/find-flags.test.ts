import { expect, it } from 'vitest'
import { findFlags } from './find-flags.ts'

const flags = (after: string, before: string | null = null) => {
  const toBytes = (text: string) => new TextEncoder().encode(text)
  const change = {
    path: 'a.mdx',
    kind: 'modified',
    before: before === null ? null : toBytes(before),
    after: toBytes(after),
  } as const
  return findFlags([change]).map(({ kind, line, detail }) => `${line} ${kind} ${detail}`.trim())
}

it.each<[text: string, flag: string[]]>([
  ['![x](https://evil.test/a.png?q=1)', ['1 external_image evil.test']],
  ['![x](//evil.test/a.png)', ['1 external_image evil.test']],
  ['<img alt="x" src="https://evil.test/a.png" />', ['1 external_image evil.test']],
  ['<img src={`https://evil.test/a.png`} />', ['1 external_image evil.test']],
  ['<script src="https://evil.test/x.js"></script>', ['1 script evil.test']],
  ['<a href="javascript:alert(1)">x</a>', ['1 script']],
  ['<b onclick="x()">x</b>', ['1 script']],
  ['<iframe src="https://video.test/1"></iframe>', ['1 iframe video.test']],
  ['ok\nleft\u202Eright \u200B', ['2 invisible_characters U+202E U+200B']],
  ['tag \u{E0041}', ['1 invisible_characters U+E0041']],
  ['![x](/images/a.png) [link](https://fine.test) `code` 👩‍💻', []],
])('evaluates %s', (text, expected) => {
  expect(flags(text)).toEqual(expected)
})

it('omits elements that already existed', () => {
  const text = '![x](https://old.test/a.png)\n'
  expect(flags(`${text}\n![y](https://new.test/b.png)\n`, text)).toEqual(['3 external_image new.test'])
})
