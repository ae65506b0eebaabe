import { expect, it } from 'vitest'
import { parseTree } from './parse-tree.ts'

interface Entry {
  readonly mode: string
  readonly name: string
}
const file = (name: string): Entry => ({ mode: '100644', name })
const folder = (name: string): Entry => ({ mode: '40000', name })
const parse = (...entries: readonly Entry[]) =>
  parseTree(Buffer.concat(entries.flatMap(({ mode, name }) => [Buffer.from(`${mode} ${name}\0`), Buffer.alloc(20, 7)])))
    .entries
const parseMode = (mode: string) => parse({ mode, name: 'a' })[0]?.mode

// The results of `git ls-tree` for the same modes.
it.each([
  ['100644', '100644'],
  ['100664', '100644'],
  ['100600', '100644'],
  ['100000', '100644'],
  ['0100644', '100644'],
  ['100755', '100755'],
  ['100700', '100755'],
  ['100775', '100755'],
  ['100611', '100644'],
  ['120000', '120000'],
  ['120777', '120000'],
  ['40000', '40000'],
  ['040000', '40000'],
  ['40755', '40000'],
  ['160000', '160000'],
  ['160644', '160000'],
])('reads the mode %s as %s', (written, mode) => {
  expect(parseMode(written)).toBe(mode)
})

it.each(['', '644', '0', '10644', '100648', '140644', '-100644', '1e5', ' 100644', '0x8000', '9'.repeat(100), 'x'])(
  'rejects the mode %j',
  (written) => {
    expect(() => parseMode(written)).toThrow(expect.objectContaining({ code: 'unreadable_tree' }))
  },
)

it.each<[name: string, entries: readonly Entry[]]>([
  ['a file ..', [file('..')]],
  ['a directory ..', [folder('..')]],
  ['a file .', [file('.')]],
  ['a directory .git', [folder('.git')]],
  ['a directory .GIT', [folder('.GIT')]],
  ['a file .git', [file('.git')]],
  ['git~1', [folder('git~1')]],
  ['.git with a zero-width character', [folder('.g\u200cit')]],
  ['.git with trailing dots', [folder('.git . ')]],
  ['an absolute name', [file('/etc/cron.d/x')]],
  ['a name with a slash', [file('a/b')]],
  ['a duplicate file', [file('a'), file('a')]],
  ['a link and a directory with the same name', [{ mode: '120000', name: 'a' }, folder('a')]],
  ['a directory before a file with the same name', [folder('a'), file('a')]],
  ['unsorted entries', [file('b'), file('a')]],
  ['a 300-byte name', [file('n'.repeat(300))]],
  ['an entry without a name', [file('')]],
])('rejects %s', (_, entries) => {
  expect(() => parse(...entries)).toThrow(expect.objectContaining({ code: 'hostile_tree' }))
})

it('rejects a tree that is truncated within an entry', () => {
  const whole = Buffer.concat([
    Buffer.from('100644 a\0'),
    Buffer.alloc(20, 7),
    Buffer.from('40000 b\0'),
    Buffer.alloc(20, 8),
  ])
  expect(parseTree(whole).entries.map((entry) => entry.name)).toEqual(['a', 'b'])
  const outcomes = Array.from({ length: whole.length }, (_, end) => {
    try {
      return parseTree(whole.subarray(0, end)).entries.length
    } catch (error) {
      return (error as { code: string }).code
    }
  })
  expect(outcomes[0]).toBe(0)
  expect(outcomes[29]).toBe(1)
  expect(outcomes.filter((outcome) => typeof outcome === 'number')).toHaveLength(2)
  expect(new Set(outcomes.filter((outcome) => typeof outcome === 'string'))).toEqual(new Set(['unreadable_tree']))
})
