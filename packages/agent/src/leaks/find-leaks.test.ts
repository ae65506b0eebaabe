import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { WorkspaceError } from '@corrigenda/git/workspace'
import { expect, it } from 'vitest'
import { findLeaks } from './find-leaks.ts'
import type { LeakSource } from './leak.ts'
import { type Attempt, buildInput, buildSource, cut, DOCS, SOURCES, type SourceName } from './test-support/attempt.ts'

const find = async (
  from: SourceName,
  parts: Partial<Attempt>,
  rest: Partial<LeakSource> = {},
  others: LeakSource[] = [],
) => findLeaks(await buildInput({ from, ...parts }, [buildSource(from, rest), ...others]))
const refunds = (text: string) => ({ pages: { 'guides/refunds.md': text } })
const settle = cut('billing', 'src/refunds/settle-refund.ts', 'const ledger', 16)
const fence = (lines: readonly string[]) => `\`\`\`ts\n${lines.join('\n')}\n\`\`\``
const read = (from: SourceName, path: string) => (SOURCES[from] as Readonly<Record<string, string>>)[path] ?? ''

it('names the place, the source and the remedy, and repeats nothing', async () => {
  const leaks = await find('billing', {
    ...refunds(`Text.\n\n${fence(settle)}`),
    title: 'See ledger.billing.svc.cluster.internal',
  })
  expect(leaks.map(({ where, source, kind }) => [where, source, kind])).toEqual([
    ['Lines 8 to 22 of "guides/refunds.md"', 'billing', 'passage'],
    ['The title', 'billing', 'host'],
  ])
  const messages = leaks.map(({ message }) => message).join(' ')
  expect(messages).toContain('in your own words')
  expect(messages).not.toMatch(/ledger|invoice|settle-refund/)
})

it('accepts option tables, lists of options, and headings with the descriptions of the code', async () => {
  const options = [...read('billing', 'src/config/options.ts').matchAll(/\/\*\* (.*) \*\/\n\s+(\w+): ([^\n]+)/g)]
  expect(options).toHaveLength(7)
  const table = options.map(([, text, name, type]) => `| \`${name}\` | \`${type}\` | ${text} |`)
  const list = options.map(([, text, name, type]) => `- \`${name}\` (${type}): ${text}`)
  const headings = options.map(([, text, name, type]) => `### ${name}: ${type}\n\n${text}\n`)
  for (const rows of [table, list, headings]) expect(await find('billing', refunds(rows.join('\n')))).toEqual([])
})

it('accepts tables of error codes, members of structs, and fields of messages', async () => {
  const codes = [...read('billing', 'src/config/options.ts').matchAll(/(\w+): (\d+), \/\/ (.*)/g)]
  const rows = codes.map(([, name, status, text]) => `| \`${name}\` | ${status} | ${text} |`)
  expect(rows).toHaveLength(7)
  expect(await find('billing', refunds(rows.join('\n')))).toEqual([])
  const members = [...read('relay', 'internal/hub/options.go').matchAll(/^\t(\w+)\s+(\S+)\s+\/\/ (.*)$/gm)]
  expect(members).toHaveLength(6)
  const fields = members.map(([, name, type, text]) => `| \`${name}\` | \`${type}\` | ${text} |`)
  expect(await find('relay', refunds(fields.join('\n')))).toEqual([])
  const proto = cut('relay', 'api/relay/v2/relay.proto', 'string envelope_id', 8)
  expect(await find('relay', refunds(proto.map((line) => `| \`${line.trim()}\` | |`).join('\n')))).toEqual([])
})

it('accepts flags, help texts, identifiers, and short signatures', async () => {
  const usage = read('relay', 'cmd/relayctl/main.go').split('`')[1] ?? ''
  expect(usage).toContain('--dry-run')
  expect(await find('relay', refunds(`\`\`\`\n${usage}\`\`\``))).toEqual([])
  const flags = [...read('relay', 'cmd/relayctl/main.go').matchAll(/Var\(&\w+, "([\w-]+)", (.*), "(.*)"\)/g)]
  const rows = flags.map(([, name, value, text]) => `| \`--${name}\` | ${value} | ${text} |`)
  expect(rows).toHaveLength(7)
  expect(await find('relay', refunds(rows.join('\n')))).toEqual([])
  const help = [...read('forecast', 'tideline/cli.py').matchAll(/"(--[\w-]+)".*help="(.*)"\)/g)]
  expect(await find('forecast', refunds(help.map(([, name, text]) => `- \`${name}\`: ${text}`).join('\n')))).toEqual([])
  const signature = 'export async function settleRefund(refund: Refund, now: Date): Promise<Settlement> {'
  expect(await find('billing', refunds(fence([signature])))).toEqual([])
  const rpc = cut('relay', 'api/relay/v2/relay.proto', 'service RelayAdmin', 4)
  expect(await find('relay', refunds(fence(rpc)))).toEqual([])
})

it('accepts five lines and refuses six', async () => {
  const score = cut('billing', 'src/refunds/fraud-score.ts', 'const velocity', 6)
  expect(await find('billing', refunds(fence(score.slice(0, 5))))).toEqual([])
  expect(await find('billing', refunds(fence(score)))).toHaveLength(1)
})

it('accepts public hosts and packages, and names that many projects have', async () => {
  const text =
    'Call https://api.larkspur.io/v3 or https://status.larkspur.io. Edit `package.json`, `src/config/env.ts` and `config.internal`. Install `@larkspur/ledger`.'
  expect(await find('billing', refunds(text))).toEqual([])
})

it('accepts text that the documentation had before, also on another page', async () => {
  const input = await buildInput({ from: 'billing', ...refunds(fence(settle)) })
  const base = buildMemoryWorkspace({
    ...DOCS,
    'old.md': fence(settle),
    'hosts.md': 'ledger.billing.svc.cluster.internal',
  })
  expect(await findLeaks(input)).toHaveLength(1)
  expect(await findLeaks({ ...input, base })).toEqual([])
  const host = await buildInput({ from: 'billing', body: 'ledger.billing.svc.cluster.internal' })
  expect(await findLeaks(host)).toHaveLength(1)
  expect(await findLeaks({ ...host, base })).toEqual([])
  // A text that the page repeats is public in each place.
  const known = buildMemoryWorkspace({ ...DOCS, 'old.md': fence(settle.slice(0, 12)) })
  for (let pad = 0; pad < 6; pad += 1) {
    const page = `${fence(settle.slice(0, 12))}\n\n${'x'.repeat(pad)}\n\n${fence(settle)}`
    expect(await findLeaks({ ...(await buildInput({ from: 'billing', ...refunds(page) })), base: known })).toEqual([])
  }
  // Lines that several pages have are public, too.
  const lines = Array.from({ length: 30 }, (_, at) => `settle region ${at + 10} and close it later`)
  const apart = buildMemoryWorkspace({ ...DOCS, 'old.md': lines.map((line, at) => `${line} number ${at}`).join('\n') })
  const source = buildSource('billing', { reader: buildMemoryWorkspace({ 'src/a.txt': lines.join('\n') }) })
  const copy = await buildInput({ from: 'billing', ...refunds(lines.join('\n')) }, [source])
  expect(await findLeaks(copy)).toHaveLength(1)
  expect(await findLeaks({ ...copy, base: apart })).toEqual([])
  // The lines that are new still count.
  const part = buildMemoryWorkspace({ ...DOCS, 'old.md': fence(settle.slice(0, 5)) })
  expect(await findLeaks({ ...input, base: part })).toHaveLength(1)
})

it('accepts text of a public source, and of quotable files', async () => {
  const twin: LeakSource = {
    ...buildSource('forecast', { visibility: 'public' }),
    reader: buildMemoryWorkspace({ 'lib/settle.ts': settle.join('\n') }),
  }
  expect(await find('billing', refunds(fence(settle)), {}, [twin])).toEqual([])
  expect(await find('billing', refunds(fence(settle)), {}, [{ ...twin, visibility: 'private' }])).toHaveLength(2)
  expect(await find('billing', refunds(fence(settle)), { quotable: ['src/refunds/settle-*'] })).toEqual([])
  expect(await find('billing', refunds(fence(settle)), { quotable: ['src/config/**'] })).toHaveLength(1)
  expect(await find('billing', refunds(fence(settle)), { visibility: 'public' })).toEqual([])
  // The same text is in a file that is not quotable, too.
  const reader = buildMemoryWorkspace({ 'src/a.ts': settle.join('\n'), 'examples/a.ts': settle.join('\n') })
  expect(await find('billing', refunds(fence(settle)), { reader })).toHaveLength(1)
  expect(await find('billing', refunds(fence(settle)), { reader, quotable: ['examples/**'] })).toEqual([])
})

it('applies the cite mode to paths and links', async () => {
  const path = refunds('See `src/refunds/fraud-score.ts`.')
  const relative = refunds('See `../src/refunds/fraud-score.ts`.')
  const link = { body: 'See https://git.larkspur.io/core/billing/blob/main/src/refunds/fraud-score.ts.' }
  const kinds = async (parts: Partial<Attempt>, cite: LeakSource['cite']) =>
    (await find('billing', parts, { cite })).map(({ kind }) => kind)
  expect(await kinds(path, 'none')).toEqual(['path'])
  expect(await kinds(path, 'names')).toEqual([])
  expect(await kinds(relative, 'none')).toEqual(['path'])
  for (const rest of [{ visibility: 'public' }, { quotable: ['src/**'] }] as const) {
    expect(await find('billing', path, { cite: 'none', ...rest })).toEqual([])
  }
  expect(await kinds(link, 'names')).toEqual(['path'])
  expect(await kinds(link, 'links')).toEqual([])
})

it('accepts placeholders of credentials and identifiers', async () => {
  const source = buildSource('billing', {
    reader: buildMemoryWorkspace({
      'test/connect.js': "connect({ password: 'secret123', token: 'k3-Zebra-41' })\nset('apiKey', 'q7-Heron-88')",
      'notes.md': 'Password: m4-Finch-90.\n',
      'lib/http.js': 'const session = sessions.get(authority, http2Options)',
    }),
  })
  const find = async (text: string) => {
    const input = await buildInput({ from: 'billing', ...refunds(text) })
    return findLeaks({ ...input, sources: [source] })
  }
  expect(await find('Set the password, such as secret123.')).toEqual([])
  expect(await find('Pass `http2Options` to configure the session.')).toEqual([])
  expect(await find('The token is k3-Zebra-41.')).toMatchObject([{ kind: 'credential' }])
  expect(await find('The key is q7-Heron-88.')).toMatchObject([{ kind: 'credential' }])
  expect(await find('Use m4-Finch-90 for it.')).toMatchObject([{ kind: 'credential' }])
})

it('accepts the notice of a license', async () => {
  const notice = Array.from(
    { length: 8 },
    (_, line) => `// Line ${line} of the license that covers the software and its use.`,
  )
  const file = ['// Copyright 2026 Larkspur. Permission is hereby granted to everyone.', ...notice].join('\n')
  const source = (text: string) => buildSource('billing', { reader: buildMemoryWorkspace({ 'src/a.ts': text }) })
  const input = await buildInput({ from: 'billing', ...refunds(notice.join('\n')) })
  expect(await findLeaks({ ...input, sources: [source(`${file}\n\ncode()\n`)] })).toEqual([])
  expect(await findLeaks({ ...input, sources: [source(notice.join('\n'))] })).toHaveLength(1)
})

it('finds credentials in every text, also without a private source', async () => {
  const token = `ghp_${'aZ3kQ9pLm2Xc7VbN5tRw8YhJ4gFd6SsE1uIo'}`
  const input = await buildInput({ from: 'billing', title: `docs: ${token}`, notes: ['None.', token] })
  const leaks = await findLeaks({ ...input, sources: [] })
  expect(leaks.map(({ where, kind }) => [where, kind])).toEqual([
    ['The title', 'credential'],
    ['Note 2 of the evidence', 'credential'],
  ])
})

it('fails if a file cannot be read, and skips a file that the reader refuses', async () => {
  const input = await buildInput({ from: 'billing', ...refunds(fence(settle)) })
  const source = buildSource('billing')
  const failing = { list: source.reader.list, read: () => Promise.reject(new Error('connection lost')) }
  await expect(findLeaks({ ...input, sources: [{ ...source, reader: failing }] })).rejects.toThrow('connection lost')
  const read = async (path: string) => {
    if (path === 'package.json') throw new WorkspaceError('too_large', 'The file is too large.')
    return await source.reader.read(path)
  }
  const reader = { list: source.reader.list, read }
  expect(await findLeaks({ ...input, sources: [{ ...source, reader }] })).toHaveLength(1)
})
