import { describe, expect, it } from 'vitest'
import { parseDocument } from 'yaml'
import { buildRandom, SEED } from '../test-support/build-random.ts'
import { isSimpleYaml } from './find-frontmatter-problems.ts'

const FRAGMENTS = [
  'title: ',
  'title',
  'a: ',
  'b:',
  'null: ',
  'true:',
  'x-y: ',
  ': ',
  ':',
  ' #',
  '#',
  '"',
  "'",
  '\\',
  '\n',
  '\n',
  '\n  ',
  'text',
  'Text é',
  '12',
  '1e3',
  '- ',
  '? ',
  '[',
  ']',
  '{',
  '}',
  ',',
  '&a',
  '*a',
  '!',
  '|',
  '>',
  '%',
  '@',
  '`',
  ' ',
  '\t',
  '"quoted"',
  "'quoted'",
  'https://example.com/a#b',
  '...',
  '--- ',
  '2026-11-23',
  '\u0000',
  '\u2028',
  '\r',
]

describe('isSimpleYaml', () => {
  it('accepts common front matter', () => {
    expect(
      isSimpleYaml(
        '# A comment\ntitle: "A: b"\nkeywords: ["a", "b c"]\ndescription: Some text, and more.\nurl: https://example.com\nicon:\n',
      ),
    ).toBe(true)
  })
  it.each(['a: b: c', 'a: "b', 'a: "b" c', 'a: b #c', 'a: 1\na: 2', 'a: b\n  c', '- a', 'a:b', 'a: *b', 'True: 1', ''])(
    'rejects %j',
    (yaml) => expect(isSimpleYaml(yaml)).toBe(false),
  )
  it(`accepts no text that the parser rejects (SEED=${SEED})`, () => {
    const random = buildRandom(SEED)
    let accepted = 0
    for (let round = 0; round < 30_000; round += 1) {
      const head = random.below(2) === 0 ? 'title: ' : ''
      const yaml = head + Array.from({ length: 1 + random.below(7) }, () => random.pick(FRAGMENTS)).join('')
      if (!isSimpleYaml(yaml)) continue
      accepted += 1
      const document = parseDocument(yaml)
      expect(document.errors, JSON.stringify(yaml)).toEqual([])
      expect(typeof document.toJS(), JSON.stringify(yaml)).toBe('object')
    }
    expect(accepted).toBeGreaterThan(1_000)
  })
})
