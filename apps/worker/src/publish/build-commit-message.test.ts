import { expect, test } from 'vitest'
import { toCoAuthors } from './build-commit-message.ts'

const RULES = {
  host: 'github.com',
  author: { name: 'bot', email: 'bot@users.noreply.github.com' },
  hasAddresses: true,
  knownSecrets: [],
}
const ADA = { name: 'Ada', email: 'ada@example.com', github: null }
const LINKED = { ...ADA, github: { id: '583231', login: 'octo-cat' } }

test('uses the no-reply address of a linked account on github.com, and never another one where addresses are hidden', () => {
  const noReply = [{ name: 'Ada', email: '583231+octo-cat@users.noreply.github.com' }]
  const account = [{ name: 'Ada', email: 'ada@example.com' }]
  expect(toCoAuthors([LINKED], RULES)).toEqual(noReply)
  expect(toCoAuthors([ADA], RULES)).toEqual(account)
  expect(toCoAuthors([LINKED], { ...RULES, host: 'github.example.com' })).toEqual(account)
  const hidden = { ...RULES, hasAddresses: false }
  expect(toCoAuthors([LINKED], hidden)).toEqual(noReply)
  expect(toCoAuthors([ADA], hidden)).toEqual([])
  expect(toCoAuthors([LINKED], { ...hidden, host: 'github.example.com' })).toEqual([])
})

test('names each address once, and not the author', () => {
  const again = { ...ADA, name: 'Ada L.', email: 'ADA@example.com' }
  const author = { ...ADA, email: 'Bot@users.noreply.github.com' }
  expect(toCoAuthors([ADA, again, author], RULES)).toEqual([{ name: 'Ada', email: 'ada@example.com' }])
})

test.each([
  ['Eve\nSigned-off-by: Linus <l@x.example>', 'Eve Signed-off-by: Linus l@x.example'],
  ['Eve\u2028Fixes #12', 'Eve Fixes # 12'],
  ['Eve <a@b.example> \\"x"', 'Eve a@b.example x'],
  ['@octocat [skip ci]', '@ octocat skip ci'],
  ['Eve \u202Egnp', 'Eve gnp'],
  ['x'.repeat(300), `${'x'.repeat(99)}…`],
])('a name cannot add lines, addresses, mentions or commands: %j', (name, expected) => {
  expect(toCoAuthors([{ ...ADA, name }], RULES).map((one) => one.name)).toEqual([expected])
})

test.each(['<>', '…', ' \u200B '])('omits a user without a name: %j', (name) => {
  expect(toCoAuthors([{ ...ADA, name }], RULES)).toEqual([])
})

test.each([
  'ada',
  'ada@',
  'ada @example.com',
  'ada@example.com\nSigned-off-by: x',
  'a>b@example.com',
  '"a b"@example.com',
  'fixes#1@example.com',
  'ada@exämple.com',
])('omits a user with an unusable address: %j', (email) => {
  expect(toCoAuthors([{ ...ADA, email }], RULES)).toEqual([])
})

test('removes secrets from names', () => {
  const rules = { ...RULES, knownSecrets: ['hunter2-hunter2'] }
  expect(JSON.stringify(toCoAuthors([{ ...ADA, name: 'Ada hunter2-hunter2' }], rules))).not.toContain('hunter2')
})
