import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { findMisfit, withMutant } from './apply-mutant.ts'
import { GUARDS } from './guards.ts'
import { MUTANTS } from './list-mutants.ts'
import type { Mutant } from './mutant.ts'
import { runMutants } from './run-mutants.ts'
import { toVerdict } from './try-mutant.ts'

const root = fileURLToPath(new URL('../../../../', import.meta.url))

test.each(MUTANTS.map((mutant) => [mutant.name, mutant] as const))('%s fits the source', async (_name, mutant) => {
  expect(await findMisfit(root, mutant)).toBeNull()
})

test('every guard has a mutant, and every mutant a name of its own', () => {
  expect(new Set(MUTANTS.map((mutant) => mutant.guard))).toEqual(new Set(Object.keys(GUARDS)))
  expect(new Set(MUTANTS.map((mutant) => mutant.name)).size).toBe(MUTANTS.length)
  for (const { name } of MUTANTS) expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/)
})

test('an edit lasts as long as the work, also when the work fails, and must fit exactly', async () => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-mutant-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const file = path.join(dir, 'a.ts')
  await writeFile(file, 'one $& two')
  const mutant: Mutant = { name: 'x', guard: 'fence', file: 'a.ts', find: '$&', replace: "$' $1", tests: ['a.ts'] }
  expect(await withMutant(dir, mutant, () => readFile(file, 'utf8'))).toBe("one $' $1 two")
  await expect(withMutant(dir, mutant, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
  expect(await readFile(file, 'utf8')).toBe('one $& two')
  const misfits: Partial<Mutant>[] = [
    { find: 'three' },
    { find: 'o' },
    { file: 'b.ts' },
    { tests: ['b.ts'] },
    { tests: [] },
  ]
  for (const misfit of misfits) expect(await findMisfit(dir, { ...mutant, ...misfit })).not.toBeNull()
  await expect(withMutant(dir, { ...mutant, find: 'o' }, async () => {})).rejects.toThrow('2 times')
})

test('only a test that ran and failed has caught something', () => {
  const report = { passed: 3, failed: [], fault: null, seconds: 1 }
  const failed = [{ name: 'a.test.ts: x', why: 'expected 1 to be 2' }]
  expect(toVerdict({ ...report, failed })).toEqual({ kind: 'caught', by: 'a.test.ts: x' })
  for (const why of ['Error: Test timed out in 30000ms.', 'Error: STACK_TRACE_ERROR']) {
    const late = [{ name: 'b.test.ts: y', why }]
    expect(toVerdict({ ...report, failed: late })).toMatchObject({ kind: 'broken' })
    expect(toVerdict({ ...report, failed: [...late, ...failed] })).toMatchObject({ kind: 'caught' })
  }
  expect(toVerdict(report)).toEqual({ kind: 'survived' })
  expect(toVerdict({ ...report, passed: 0 })).toMatchObject({ kind: 'broken' })
  expect(toVerdict({ ...report, fault: 'a.test.ts: Unexpected token' })).toMatchObject({ kind: 'broken' })
})

test('a guard switched off is caught, a harmless edit survives, and nonsense is told apart from both', async () => {
  const real = MUTANTS.filter((mutant) => mutant.name === 'log-redaction')
  const [guarded] = real
  const { file } = guarded!
  const before = await readFile(path.join(root, file), 'utf8')
  const harmless = { ...guarded!, name: 'harmless', find: 'one JSON object a line', replace: 'a JSON object a line' }
  const nonsense = { ...guarded!, name: 'nonsense', find: 'export type Log', replace: 'export tipe Log' }
  const mutants = [...real, harmless, nonsense]
  const results = await runMutants({ root, mutants, jobs: 1, env: process.env })
  expect(results.map(({ mutant, verdict }) => [mutant.name, verdict.kind])).toEqual([
    ['log-redaction', 'caught'],
    ['harmless', 'survived'],
    ['nonsense', 'broken'],
  ])
  expect(await readFile(path.join(root, file), 'utf8')).toBe(before)
}, 120_000)

test('tests that fail with all guards on prove nothing', async () => {
  const unknown = { ...MUTANTS[0]!, tests: ['apps/chaos/src/mutants/guards.ts'] }
  await expect(runMutants({ root, mutants: [unknown], jobs: 1, env: process.env })).rejects.toThrow('prove nothing')
}, 60_000)
