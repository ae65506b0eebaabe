import { describe, expect, it } from 'vitest'
import { openBudget } from './budget.ts'
import { ComparisonError, compareResults } from './compare.ts'
import { formatComparison } from './format-comparison.ts'
import { formatReport } from './format-report.ts'
import { redactSecrets } from './redact-secrets.ts'
import type { MeasuredAttempt, Results } from './results.ts'
import { toBootstrap, toMcNemar, toWilson } from './statistics.ts'
import { summarize } from './summarize.ts'

const attempt = (task: string, repeat: number, passed: boolean, costUsd: number | null = 0.1): MeasuredAttempt => ({
  task,
  repeat,
  verdict: passed ? 'passed' : 'failed',
  outcome: 'changed',
  code: null,
  usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 90, cacheWriteTokens: 0, costUsd, turns: 4 },
  reasons: passed ? [] : ['It <b>is</b> | wrong.'],
  seconds: 2,
  refusedCalls: 0,
  diff: '+````',
  said: 'Said ``` so.',
})

/** Builds results from one row per task, with one letter per attempt: p passed, f failed. */
function toResults(rows: readonly string[], change: Partial<Results> = {}): Results {
  const tasks = rows.map((_, index) => ({
    id: `rename/t${index}`,
    hash: `h${index}`,
    family: index % 2 === 0 ? ('rename' as const) : ('move' as const),
    split: 'train' as const,
  }))
  const attempts = rows.flatMap((row, index) =>
    [...row].map((letter, n) => attempt(`rename/t${index}`, n + 1, letter === 'p')),
  )
  const startedAt = '2026-11-21T10:00:00.000Z'
  return {
    version: 1,
    model: 'm',
    harness: '1',
    startedAt,
    repeat: 1,
    tasks,
    attempts,
    stopped: null,
    ...change,
  }
}

describe('statistics', () => {
  it('matches published values for the Wilson interval', () => {
    expect(toWilson(0.5, 10)).toMatchObject({ low: expect.closeTo(0.2366, 3), high: expect.closeTo(0.7634, 3) })
    expect(toWilson(1, 20)).toMatchObject({ low: expect.closeTo(0.8389, 3), high: 1 })
    expect(toWilson(0, 20)).toMatchObject({ low: 0, high: expect.closeTo(0.1611, 3) })
    expect(toWilson(0, 0)).toEqual({ low: 0, high: 1 })
  })

  it('computes McNemar’s exact p-value as twice the binomial tail', () => {
    expect(toMcNemar(0, 0)).toBe(1)
    expect(toMcNemar(5, 5)).toBe(1)
    expect(toMcNemar(0, 6)).toBeCloseTo(2 / 64, 10)
    expect(toMcNemar(2, 10)).toBeCloseTo((2 * (1 + 12 + 66)) / 4096, 10)
    expect(toMcNemar(10, 2)).toBe(toMcNemar(2, 10))
  })

  it('computes a reproducible bootstrap interval that contains the mean', () => {
    const mean = (drawn: readonly number[]) => drawn.reduce((sum, one) => sum + one, 0) / drawn.length
    const units = Array.from({ length: 50 }, (_, index) => index % 2)
    const interval = toBootstrap(units, mean)
    expect(interval.low).toBeGreaterThan(0.3)
    expect(interval.low).toBeLessThan(0.42)
    expect(interval.high).toBeGreaterThan(0.58)
    expect(interval.high).toBeLessThan(0.7)
    expect(toBootstrap(units, mean)).toEqual(interval)
  })
})

describe('summaries', () => {
  it('counts a task as one trial regardless of its number of attempts', () => {
    const [all] = summarize(toResults(['ppp', 'pff', 'fff', 'ppp'], { repeat: 3 }))
    expect(all).toMatchObject({
      tasks: 4,
      attempts: 12,
      rate: expect.closeTo((1 + 1 / 3 + 0 + 1) / 4),
      always: 2,
      ever: 3,
    })
    expect(all?.interval).toEqual(toWilson(all?.rate ?? 0, 4))
    expect(all).toMatchObject({ costUsd: expect.closeTo(1.2), turns: 4, inputTokens: 100, outputTokens: 5, seconds: 2 })
  })

  it('excludes unmeasured tasks and lists them in the report', () => {
    const results = toResults(['p', 'f', 'p'])
    const outage = {
      ...attempt('rename/t1', 1, false),
      verdict: 'unmeasured' as const,
      said: 'The model is unavailable.',
    }
    const attempts = results.attempts.map((one) => (one.task === 'rename/t1' ? outage : one))
    expect(summarize({ ...results, attempts })[0]).toMatchObject({ tasks: 2, rate: 1, unmeasured: 1 })
    expect(formatReport({ ...results, attempts })).toContain('`rename/t1` was not measured: The model is unavailable.')
  })

  it('escapes model text in the report', () => {
    const report = formatReport(toResults(['p', 'f'], { stopped: 'Enough <i>.' }))
    expect(report).toContain('**Incomplete.** Enough \\<i\\>.')
    expect(report).toContain('- It \\<b\\>is\\</b\\> \\| wrong.')
    expect(report).toContain('`````diff\n+````\n`````')
    expect(report).toContain('````text\nSaid ``` so.\n````')
    expect(report).toMatch(/\| all +\| 2 +\| 50% +\| 9% to 91%/)
  })
})

describe('comparisons', () => {
  it("pairs results by task and computes each side's wins, the exact p-value and the cost ratio", () => {
    const a = toResults(['ppp', 'fff', 'fpf', 'ppp', 'fff'])
    const b = toResults(['ppp', 'ppp', 'ppf', 'ffp', 'fff'])
    const twice = { ...b, attempts: b.attempts.map((one) => ({ ...one, usage: { ...one.usage, costUsd: 0.2 } })) }
    const comparison = compareResults(a, twice)
    expect(comparison.onlyA).toEqual(['rename/t3'])
    expect(comparison.onlyB).toEqual(['rename/t1', 'rename/t2'])
    expect(comparison).toMatchObject({ p: 1, costRatio: expect.closeTo(2), difference: expect.closeTo(2 / 15) })
    expect(comparison.costInterval).toEqual({ low: expect.closeTo(2), high: expect.closeTo(2) })
    expect(comparison.interval.low).toBeLessThan(comparison.difference)
    expect(comparison.interval.high).toBeGreaterThan(comparison.difference)
    expect(formatComparison(a, twice, comparison)).toContain('Solved by A only: 1; by B only: 2')
  })

  it('rejects different, changed or unmeasured tasks', () => {
    const a = toResults(['p', 'p'])
    expect(() => compareResults(a, toResults(['p']))).toThrow(ComparisonError)
    expect(() => compareResults(toResults(['p']), a)).toThrow('Only one of the results has rename/t1')
    const changed = { ...a, tasks: a.tasks.map((task, index) => (index === 1 ? { ...task, hash: 'x' } : task)) }
    expect(() => compareResults(a, changed)).toThrow('changed between measurements: rename/t1')
    expect(() => compareResults(a, { ...a, attempts: a.attempts.slice(1) })).toThrow(
      'unmeasured in at least one of the results: rename/t0',
    )
  })

  it('reports no cost ratio if a price is unknown', () => {
    const a = toResults(['p', 'p'])
    const free = { ...a, attempts: a.attempts.map((one) => ({ ...one, usage: { ...one.usage, costUsd: null } })) }
    expect(compareResults(a, free)).toMatchObject({ costRatio: null, costInterval: null })
  })
})

describe('the cost limit', () => {
  it('reserves the maximum cost of each running attempt', async () => {
    const budget = openBudget({ limit: 3, spent: 0, perAttempt: 1 })
    expect(await budget.take()).toBe(true)
    expect(await budget.take()).toBe(true)
    let third: boolean | null = null
    const waiting = budget.take().then((fits) => {
      third = fits
    })
    await Promise.resolve()
    expect(third).toBeNull()
    budget.put(0.2)
    await waiting
    expect(third).toBe(true)
    budget.put(1.2)
    budget.put(1.2)
    expect(await budget.take()).toBe(false)
    expect(budget.spent()).toBeCloseTo(2.6)
  })

  it('admits every attempt if no limit is set', async () => {
    const budget = openBudget({ limit: null, spent: 100, perAttempt: 50 })
    for (let index = 0; index < 5; index += 1) expect(await budget.take()).toBe(true)
  })
})

it('redacts secrets in strings and keys at any depth', () => {
  const value = { a: ['x sk-123456 y', { 'sk-123456': null }], n: 5 }
  expect(redactSecrets(value, ['sk-123456', 'x'])).toEqual({ a: ['x [redacted] y', { '[redacted]': null }], n: 5 })
})
