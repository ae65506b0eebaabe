import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { expect, it } from 'vitest'
import { findLeaks } from './find-leaks.ts'
import { buildInput, buildSource } from './test-support/attempt.ts'

/** Returns the kinds of the findings on a page, with a private source that has one file. */
async function find(path: string, file: string, text: string) {
  const source = buildSource('billing', { reader: buildMemoryWorkspace({ [path]: file }) })
  const input = await buildInput({ from: 'billing', pages: { 'guides/refunds.md': text } }, [source])
  return (await findLeaks(input)).map(({ kind }) => kind)
}
const TOPICS =
  'invoice.created invoice.settled invoice.voided refund.created refund.settled refund.rejected payout.created payout.settled payout.returned account.opened account.closed account.frozen dispute.opened dispute.won dispute.lost tariff.changed tariff.expired'.split(
    ' ',
  )
/** Three values on a line. */
const toRows = (quote: string) =>
  TOPICS.map((name, at) => `${quote}${name}${quote},${at % 3 === 2 ? '\n  ' : ' '}`).join('')
const PROSE = Array.from(
  { length: 8 },
  (_, line) => `Clause ${line} describes what the customer may expect of the service in month ${line}.`,
)

it('accepts the values of an option, in the lines of the code and in others', async () => {
  const code = `export const TOPICS = [\n  ${toRows("'")}\n]\n`
  expect(await find('src/topics.ts', code, `\`\`\`js\n${toRows("'")}\n\`\`\``)).toEqual([])
  expect(await find('src/topics.ts', code, `One of ${TOPICS.map((name) => `\`${name}\``).join(', ')}.`)).toEqual([])
  // Statements with the same values are code.
  const calls = TOPICS.map((name) => `  await publish('${name}', account, now)`).join('\n')
  expect(await find('src/topics.ts', calls, calls)).toEqual(['passage'])
})

it('accepts several declarations on one line, and declarations with text between them', async () => {
  const names = 'windowDays maxAttempts retryDelay batchSize shareLimit graceHours'.split(' ')
  const code = `interface Options {\n${names.map((name) => `  ${name}: number`).join('\n')}\n}\n`
  expect(await find('src/a.ts', code, `Pass ${names.map((name) => `\`${name}: number\``).join(', ')}.`)).toEqual([])
  expect(await find('src/a.ts', code, `\`\`\`ts\n${code}\`\`\``)).toEqual(['passage'])
  const long = names.map((name) => `  ${name}OfEveryInvoice: number`)
  const described = long.map((line) => `\`${line.trim()}\`\n\nApplies to new invoices only.\n`).join('\n')
  expect(await find('src/a.ts', `interface Options {\n${long.join('\n')}\n}\n`, described)).toEqual([])
})

it('accepts help texts of several lines, also with other line breaks', async () => {
  const words = PROSE.join(' ').split(' ')
  const rows = Array.from({ length: 12 }, (_, row) => words.slice(row * 10, row * 10 + 10).join(' '))
  const flag = (name: string, end = '`') => `flag({ all: { short: 'a', ${name}: \`${rows.join('\n    ')}${end} } })\n`
  for (const page of [rows.join('\n'), words.join(' ')]) {
    expect(await find('src/cli.ts', flag('description'), page)).toEqual([])
    expect(await find('src/cli.py', flag('help').replaceAll('`', '"""'), page)).toEqual([])
    expect(await find('src/cli.ts', flag('prompt'), page)).toEqual(['passage'])
    // Code that follows the text is not a part of it.
    expect(await find('src/cli.ts', `${flag('help')}const text = \`\n${rows.join('\n')}\``, page)).toEqual(['passage'])
    expect(await find('src/cli.ts', flag('help', ''), page)).toEqual(['passage'])
    const short = `const help = \`Settles invoices.\`\nconst text =\n${rows.join('\n')}\``
    expect(await find('src/cli.ts', short, page)).toEqual(['passage'])
  }
  // A string of more than 60 lines is not a description of an option.
  const long = Array.from({ length: 70 }, (_, line) => `Line ${line} describes what the flag does in region ${line}.`)
  expect(await find('src/cli.ts', `const help = \`\n${long.join('\n')}\``, long.join('\n'))).toEqual(['passage'])
})

it('accepts short parts of a long file on one page', async () => {
  const lines = Array.from({ length: 60 }, (_, line) => `Clause ${line} limits what account ${line * 7} may do.`)
  const pair = (at: number) => `${lines[at]} ${lines[at + 1]}`
  const page = [3, 15, 27, 39, 51].map(pair).join('\n\n')
  expect(page.length).toBeGreaterThan(400)
  expect(await find('notes/terms.txt', lines.join('\n'), page)).toEqual([])
  expect(await find('notes/terms.txt', lines.join('\n'), lines.slice(3, 13).join(' '))).toEqual(['passage'])
})

it('accepts legal texts', async () => {
  for (const path of [
    'LICENSE',
    'licenses/THIRD-PARTY-NOTICES.txt',
    'LICENSE-MIT',
    'LICENSE-APACHE-2.0.md',
    'lib/license.rst',
    'COPYING.LESSER',
    'LICENSE.BSD-3-Clause',
    'licences',
    'UNLICENSE',
    'NOTICE.md',
  ]) {
    expect(await find(path, PROSE.join('\n'), PROSE.join('\n'))).toEqual([])
  }
  for (const path of [
    'src/license-validator.ts',
    'internal/licensing/license.go',
    'app/notices/noticeService.ts',
    'docs/license-key-format.md',
    'notice-period.md',
    'LICENSE.ts',
    'licenses/server.txt',
    'copyingMachine',
  ]) {
    expect(await find(path, PROSE.join('\n'), PROSE.join('\n'))).toEqual(['passage'])
  }
  expect(await find('notes/terms.txt', PROSE.join('\n'), PROSE.join('\n'))).toEqual(['passage'])
  const notice = ['Copyright 2026 Larkspur.', ...PROSE].map((line) => `// ${line}`).join('\n')
  expect(await find('src/a.ts', `${notice}\n\ncode()\n`, PROSE.join(' '))).toEqual([])
})

it('accepts host names that every installation has, members of objects, and addresses in examples', async () => {
  const hosts = "connect('http://host.docker.internal:5432')\nconnect('http://db-7.corp:5432')\n"
  expect(await find('src/a.ts', hosts, 'Connect to host.docker.internal.')).toEqual([])
  expect(await find('src/a.ts', hosts, 'Connect to db-7.corp.')).toEqual(['host'])
  expect(await find('src/a.ts', 'if (account.private) hide()', 'Set `account.private`.')).toEqual([])
  expect(await find('src/a.ts', "connect('account.private')", 'Connect to account.private.')).toEqual(['host'])
  expect(await find('README.md', 'Run it on 10.3.0.7:80.', 'Run it on 10.3.0.7.')).toEqual([])
  expect(await find('src/a.ts', "connect('10.3.0.7:80')", 'Run it on 10.3.0.7.')).toEqual(['host'])
})

const ofSource = (host: string) => find('src/a.ts', `connect("http://${host}:80")\n`, `Open http://${host}:80/health.`)

it('accepts placeholders for host names', async () => {
  for (const host of [
    'my-service.my-namespace.svc.cluster.local',
    'service.namespace.svc.cluster.local',
    'myapp-db.internal',
    'kubernetes.default.svc.cluster.local',
    'metadata.google.internal',
    'your-company.corp',
    'foo1.internal',
    'server.company.local',
    'test.local',
    'mycompany.internal',
    'db.staging.example.com',
    'acme-corp.lan',
    'us-west-2.compute.internal',
    'my-db',
    'test-server-1',
    'host1',
    'localhost2',
    'your-host',
  ]) {
    expect([host, await ofSource(host)]).toEqual([host, []])
  }
})

it('refuses host names that only start like a placeholder', async () => {
  for (const host of [
    'mysql-primary.prod.internal',
    'server12.corp',
    'testrunner.ci.corp',
    'user-service',
    'mysql-db',
    'server-registry',
    'orders.payments.svc.cluster.local',
    'ip-172-20-4-9.eu-west-1.compute.internal',
    'hostmetrics.internal',
    'companion-api.corp',
    'ledger.docker.internal',
    'domain-events.lan',
    'barley-2',
  ]) {
    expect([host, await ofSource(host)]).toEqual([host, ['host']])
  }
})

it('accepts the names of published packages', async () => {
  const text = 'Run `npm install @larkspur/sdk` and `cargo add larkspur-meter`.'
  const nested = { name: '@larkspur/sdk', private: false, overrides: { meter: { private: true } } }
  expect(await find('package.json', JSON.stringify(nested), text)).toEqual([])
  expect(await find('package.json', JSON.stringify({ ...nested, private: true }), text)).toEqual(['package'])
  const cargo = '[package]\nname = "larkspur_meter"\n'
  expect(await find('meter/Cargo.toml', cargo, text)).toEqual([])
  expect(await find('meter/Cargo.toml', `${cargo}publish = false\n`, text)).toEqual(['package'])
  const registry = (url: string) => `@larkspur:registry=${url}\n`
  expect(await find('.npmrc', registry('https://registry.npmjs.org/'), text)).toEqual([])
  expect(await find('.npmrc', registry('https://npm.larkspur.io/'), text)).toEqual(['package'])
})

it('refuses lines without their articles, and short declarations between lines of code', async () => {
  const prose = PROSE.map((line) => `The ${line}`)
  expect(await find('notes/terms.txt', prose.join('\n'), PROSE.join('\n\nText.\n\n'))).toEqual(['passage'])
  const code = Array.from({ length: 6 }, (_, at) => [
    `  await settleInvoices(region${at}, accounts[${at * 7}])`,
    `  let openShare${at} = ${at}`,
  ]).flat()
  expect(await find('src/a.ts', code.join('\n'), code.join('\n\nText between the lines.\n\n'))).toEqual(['passage'])
})

it('refuses declarations with line numbers, and text with some characters as escapes', async () => {
  const fields = Array.from({ length: 8 }, (_, line) => `  region-${line}: tier-${line * 7}`)
  const numbered = fields.map((line, at) => `${at + 12} | ${line}`).join('\n')
  expect(await find('deploy/regions.yaml', `regions:\n${fields.join('\n')}\n`, numbered)).toEqual(['passage'])
  // In a list, they would be facts.
  const list = fields.map((line) => line.replace('  ', '- ')).join('\n')
  expect(await find('deploy/regions.yaml', `regions:\n${list}\n`, list)).toEqual([])
  expect(await find('deploy/regions.yaml', `regions:\n${list}\n`, `\`\`\`yaml\n${list}\n\`\`\``)).toEqual(['passage'])
  const escaped = PROSE.join(' ').replace(/[aeiou]/g, (char) => `\\u00${char.charCodeAt(0).toString(16)}`)
  expect(await find('notes/terms.txt', PROSE.join('\n'), `\`"${escaped}"\``)).toEqual(['passage'])
})
