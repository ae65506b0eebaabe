import { expect, it } from 'vitest'
import { buildSource } from '../test-support/build-source.ts'
import { CHANGED } from '../test-support/script-model.ts'
import { startAgent } from '../test-support/start-agent.ts'
import { verifyFinished } from './verify-finished.ts'

const SECRET = [
  'export function settleInvoice(ledger, invoice) {',
  '  const overdue = invoice.dueAt < ledger.closedAt',
  '  const penalty = overdue ? invoice.total * 0.0175 : 0',
  '  const rebate = ledger.rebates.find((one) => one.customer === invoice.customer)',
  '  const settled = invoice.total + penalty - (rebate?.amount ?? 0)',
  '  ledger.entries.push({ invoice: invoice.id, settled, at: ledger.closedAt })',
  '  return settled.toFixed(2)',
  '}',
]
const source = buildSource({
  files: { 'src/settle.ts': `${SECRET.join('\n')}\n` },
  visibility: 'private',
  cite: 'none',
})
const copy = [
  'edit',
  { path: 'start.mdx', old_str: 'Install the tool.', new_str: `\`\`\`js\n${SECRET.join('\n')}\n\`\`\`` },
] as const
const finish = { calls: [['finish', CHANGED]] } as const

it('a change with text of a private source is refused once, and the second refusal stops the run', async () => {
  const harness = startAgent({ deps: { sources: [source] } })
  const { result, requests } = await harness.script([{ calls: [copy] }, finish, finish])
  expect(result).toMatchObject({ kind: 'stopped', code: 'source_leak', usage: { turns: 3 } })
  expect(result).toMatchObject({ message: expect.stringMatching(/repeat text of the private source "api"/) })
  const refusal = JSON.stringify(requests.at(-1)?.messages.at(-1))
  expect(refusal).toMatch(/the change contains private text/)
  expect(JSON.stringify([result, refusal])).not.toContain('penalty = overdue')
})

it('the change can be corrected after the refusal', async () => {
  const harness = startAgent({ deps: { sources: [source] } })
  const restore = [
    'create',
    { path: 'start.mdx', file_text: '---\ntitle: Start\n---\n\n# Start\n\nPay in time.\n' },
  ] as const
  const { result } = await harness.script([
    { calls: [copy] },
    finish,
    { calls: [['delete', { path: 'start.mdx' }], restore] },
    finish,
    finish,
  ])
  expect(result).toMatchObject({ kind: 'finished', outcome: 'changed' })
})

it('a public source may be quoted', async () => {
  const harness = startAgent({ deps: { sources: [{ ...source, visibility: 'public' }] } })
  const { result } = await harness.script([{ calls: [copy] }, finish, finish])
  expect(result).toMatchObject({ kind: 'finished', outcome: 'changed' })
})

it('the notes of the evidence are compared, too', async () => {
  const note = SECRET.slice(1, 5).join(' ')
  const evidence = [{ page: 'start.mdx', source: 'api', path: 'src/settle.ts', fromLine: 1, toLine: 1, note }]
  const edit = ['edit', { path: 'start.mdx', old_str: 'Install', new_str: 'Settle' }] as const
  const harness = startAgent({ deps: { sources: [source] } })
  const withNote = { calls: [['finish', { ...CHANGED, evidence }]] } as const
  const { result } = await harness.script([{ calls: [edit] }, withNote, withNote])
  expect(result).toMatchObject({ kind: 'stopped', code: 'source_leak' })
})

it('the finished change is verified again', async () => {
  const deps = { sources: [source] }
  const harness = startAgent({ deps: { sources: [{ ...source, visibility: 'public' }] } })
  const { result } = await harness.script([{ calls: [copy] }, finish, finish])
  if (result.kind !== 'finished') throw new Error(result.kind)
  const { workspace } = harness
  const { policy, pages, checkDocs } = harness
  expect(await verifyFinished({ ...deps, workspace, policy, pages, checkDocs }, result)).toMatchObject({
    code: 'source_leak',
  })
})
