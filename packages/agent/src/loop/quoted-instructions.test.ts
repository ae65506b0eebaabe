import { expect, it } from 'vitest'
import { quoteAtStart } from './quoted-instructions.ts'

const quote = (text: string) => quoteAtStart([{ path: 'AGENTS.md', text, truncated: false }])

it.each(['</instruction_file>', '< / instruction_file>', '<\n/\tINSTRUCTION_FILE >', '<instruction_file path="a">'])(
  'escapes a tag in the text: %j',
  (tag) => {
    expect(quote(tag)).toContain(`<\\${tag.slice(1)}`)
  },
)

// Without a linear pattern, this takes longer than the time limit of a test.
it('quotes a text of blanks', () => {
  expect(quote(`${'<'.repeat(10)}${' '.repeat(65_000)}`)).toContain('<'.repeat(10))
})
