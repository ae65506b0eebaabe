import type { Results } from './results.ts'
import { type Interval, toBootstrap, toMcNemar } from './statistics.ts'
import { scoreTasks } from './summarize.ts'

export interface Pair {
  readonly id: string
  /** Share of attempts that passed, per side. */
  readonly a: number
  readonly b: number
  /** US dollars per attempt. Null if a price is unknown. */
  readonly costA: number | null
  readonly costB: number | null
}

export interface Comparison {
  readonly pairs: readonly Pair[]
  readonly rateA: number
  readonly rateB: number
  /** Mean difference b − a. The interval is computed by resampling tasks. */
  readonly difference: number
  readonly interval: Interval
  /** Tasks that only one side solved in most attempts. */
  readonly onlyA: readonly string[]
  readonly onlyB: readonly string[]
  /** Exact two-sided p-value for the two lists above. */
  readonly p: number
  /** Cost of b divided by the cost of a. Null if unknown. */
  readonly costRatio: number | null
  readonly costInterval: Interval | null
}

/** Thrown if two results cannot be compared. The message states the reason. */
export class ComparisonError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ComparisonError'
  }
}

/**
 * Compares two results task by task.
 * @throws ComparisonError if a task is missing on one side, differs, or was not measured
 */
export function compareResults(a: Results, b: Results): Comparison {
  assertSameTasks(a, b)
  const pairs = toPairs(a, b)
  const rateA = mean(pairs.map((pair) => pair.a))
  const rateB = mean(pairs.map((pair) => pair.b))
  const onlyA = pairs.filter((pair) => pair.a > 0.5 && pair.b <= 0.5).map(({ id }) => id)
  const onlyB = pairs.filter((pair) => pair.b > 0.5 && pair.a <= 0.5).map(({ id }) => id)
  const costRatio = toRatio(pairs)
  return {
    pairs,
    rateA,
    rateB,
    onlyA,
    onlyB,
    difference: rateB - rateA,
    interval: toBootstrap(pairs, (drawn) => mean(drawn.map((pair) => pair.b - pair.a))),
    p: toMcNemar(onlyA.length, onlyB.length),
    costRatio: Number.isFinite(costRatio) ? costRatio : null,
    costInterval: Number.isFinite(costRatio) ? toBootstrap(pairs, toRatio) : null,
  }
}

function assertSameTasks(a: Results, b: Results): void {
  const hashes = new Map(b.tasks.map(({ id, hash }) => [id, hash]))
  const missing = a.tasks.filter(({ id }) => !hashes.has(id)).map(({ id }) => id)
  const more = b.tasks.filter(({ id }) => !a.tasks.some((task) => task.id === id)).map(({ id }) => id)
  if (missing.length + more.length > 0) {
    throw new ComparisonError(
      `The results cover different tasks. Only one of the results has ${listSome([...missing, ...more])}.`,
    )
  }
  const other = a.tasks.filter(({ id, hash }) => hashes.get(id) !== hash).map(({ id }) => id)
  if (other.length > 0) {
    throw new ComparisonError(`Some tasks changed between measurements: ${listSome(other)}. Repeat one measurement.`)
  }
}

function toPairs(a: Results, b: Results): Pair[] {
  const right = new Map(scoreTasks(b).map((score) => [score.task.id, score]))
  const left = new Map(scoreTasks(a).map((score) => [score.task.id, score]))
  const open = a.tasks.filter(({ id }) => !left.has(id) || !right.has(id)).map(({ id }) => id)
  if (open.length > 0)
    throw new ComparisonError(
      `Some tasks are unmeasured in at least one of the results: ${listSome(open)}. Measure them with --resume.`,
    )
  return [...left].flatMap(([id, one]) => {
    const other = right.get(id)
    if (other === undefined) return []
    const cost = ({ attempts }: typeof one) =>
      attempts.some(({ usage }) => usage.costUsd === null)
        ? null
        : mean(attempts.map(({ usage }) => usage.costUsd ?? 0))
    return [{ id, a: one.rate, b: other.rate, costA: cost(one), costB: cost(other) }]
  })
}

function toRatio(pairs: readonly Pair[]): number {
  if (pairs.some(({ costA, costB }) => costA === null || costB === null)) return Number.NaN
  const sum = (toCost: (pair: Pair) => number | null) => pairs.reduce((total, pair) => total + (toCost(pair) ?? 0), 0)
  return sum(({ costB }) => costB) / sum(({ costA }) => costA)
}

const listSome = (ids: readonly string[]): string =>
  `${ids.slice(0, 5).join(', ')}${ids.length > 5 ? `, and ${ids.length - 5} more` : ''}`

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)
