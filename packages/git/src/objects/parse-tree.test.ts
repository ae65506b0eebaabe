import { expect, it } from 'vitest'
import { parseTree } from './parse-tree.ts'

const parseMode = (mode: string) =>
  parseTree(Buffer.concat([Buffer.from(`${mode} a\0`), Buffer.alloc(20, 7)])).entries[0]?.mode

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

it.each(['', '644', '0', '10644', '100648', '140644', '-100644', '1e5', ' 100644', '0x8000', '9'.repeat(100)])(
  'rejects the mode %j',
  (written) => {
    expect(() => parseMode(written)).toThrow(expect.objectContaining({ code: 'unreadable_tree' }))
  },
)
