import { buildMemoryWorkspace } from '@corrigenda/git/internal/test-support/memory-workspace'
import { expect, it } from 'vitest'
import { buildTextGuard, WITHHELD } from './build-text-guard.ts'
import type { LeakSource } from './leak.ts'
import { buildSource, cut, DOCS, SOURCES } from './test-support/attempt.ts'

const settle = cut('billing', 'src/refunds/settle-refund.ts', 'const ledger', 16)
const design = cut('billing', 'docs/design/settlement.md', 'The first version', 8).join(' ')

function open(rest: Partial<LeakSource> = {}) {
  const read: string[] = []
  const files = buildMemoryWorkspace(SOURCES.billing)
  const reader = {
    list: files.list,
    async read(path: string) {
      read.push(path)
      return await files.read(path)
    },
  }
  const guard = buildTextGuard(buildMemoryWorkspace(DOCS))
  const source = buildSource('billing', { reader, ...rest })
  return { read, release: (...texts: string[]) => guard.release(texts, [source]) }
}

it('withholds a text that repeats a file, and returns the others', async () => {
  const { release } = open()
  const question = 'Is the limit of 21 days right?'
  expect(await release('I read the code now.', settle.join('\n'), question)).toEqual([
    'I read the code now.',
    WITHHELD,
    question,
  ])
  expect(await release(Buffer.from(settle.join('\n')).toString('base64'))).toEqual([WITHHELD])
})

it('withholds a text that completes a passage with earlier texts', async () => {
  const { release } = open()
  const parts = design.match(/.{1,110}/g) ?? []
  expect(parts.length).toBeGreaterThan(5)
  const safe: string[] = []
  for (const part of parts) safe.push(...(await release(part)))
  const shown = safe.filter((text) => text !== WITHHELD)
  expect(shown.length).toBeGreaterThan(0)
  expect(shown.join('').length).toBeLessThan(240)
  // Neither the same parts again nor other parts of the file leave.
  for (const part of [...parts.slice(shown.length), ...parts]) {
    const [again = ''] = await release(part)
    expect(again === WITHHELD || shown.includes(again)).toBe(true)
  }
  expect(await release('The page is correct now.')).toEqual(['The page is correct now.'])
  // Texts of one reply count together, too.
  expect(new Set(await open().release(...parts))).toEqual(new Set([WITHHELD]))
})

it('withholds hosts, paths, packages and credentials', async () => {
  for (const text of [
    'The ledger is at ledger.billing.svc.cluster.internal.',
    'It is in src/refunds/fraud-score.ts.',
    'Install `@larkspur/billing-core`.',
    'The password is tR9v-kelp-41-Quartz.',
  ]) {
    expect([text, await open().release(text)]).toEqual([text, [WITHHELD]])
  }
  expect(await open({ cite: 'links' }).release('It is in src/refunds/fraud-score.ts.')).not.toContain(WITHHELD)
})

it('reads all files once, and then only those that have a stretch in common with a text', async () => {
  const { read, release } = open()
  const count = Object.keys(SOURCES.billing).length
  await release('I look at the page about refunds.')
  expect(read.length).toBeLessThanOrEqual(count + 1)
  read.length = 0
  await release('The page names the wrong currency.')
  await release(`The code has \`${settle[5]?.trim()}\`.`)
  expect(read).toEqual(['src/refunds/settle-refund.ts'])
})

it('reads nothing without private sources', async () => {
  const { read, release } = open({ visibility: 'public' })
  expect(await release(settle.join('\n'))).toEqual([settle.join('\n')])
  expect(read).toEqual([])
})
