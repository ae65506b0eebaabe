import { CallError } from '../../read-yaml.ts'
import { toPercent } from './format-report.ts'
import { type Results, scoreTasks, sumCost, toMean } from './results.ts'

interface Comparison {
  readonly tasks: number
  readonly rateA: number
  readonly rateB: number
  /** Mean difference b − a over the tasks, and half of its 95% interval. */
  readonly difference: number
  readonly margin: number
  /** Tasks that only one side solved in most attempts. */
  readonly onlyA: readonly string[]
  readonly onlyB: readonly string[]
  /** Exact two-sided p-value of McNemar's test for the two lists above. */
  readonly p: number
  /** Cost per attempt of b divided by that of a. Null if unknown. */
  readonly costRatio: number | null
}

/**
 * Compares two results task by task.
 * @throws CallError if a task is missing on one side, differs, or was not measured
 */
export function compareResults(a: Results, b: Results): Comparison {
  const hashes = [a, b].map(({ tasks }) => new Map(tasks.map(({ id, hash }) => [id, hash])))
  const all = [...new Set(hashes.flatMap((one) => [...one.keys()]))]
  reject(
    'Only one of the results has',
    all.filter((id) => !hashes.every((one) => one.has(id))),
  )
  reject(
    'Repeat one measurement, because these tasks changed:',
    all.filter((id) => hashes[0]?.get(id) !== hashes[1]?.get(id)),
  )
  const [left, right] = [a, b].map((results) => new Map(scoreTasks(results).map((score) => [score.task.id, score])))
  const pairs = all.flatMap((id) => {
    const [one, other] = [left?.get(id), right?.get(id)]
    return one === undefined || other === undefined ? [] : [{ id, one, other, difference: other.rate - one.rate }]
  })
  const measured = pairs.map(({ id }) => id)
  reject(
    'Use --resume to measure',
    all.filter((id) => !measured.includes(id)),
  )
  const difference = toMean(pairs.map((pair) => pair.difference))
  const variance = toMean(pairs.map((pair) => (pair.difference - difference) ** 2))
  const onlyA = pairs.filter(({ one, other }) => one.rate > 0.5 && other.rate <= 0.5).map(({ id }) => id)
  const onlyB = pairs.filter(({ one, other }) => other.rate > 0.5 && one.rate <= 0.5).map(({ id }) => id)
  const [costA, costB] = [pairs.map(({ one }) => one), pairs.map(({ other }) => other)].map((scores) => {
    const costs = scores.map(({ attempts }) => (sumCost(attempts) ?? Number.NaN) / attempts.length)
    return costs.reduce((sum, cost) => sum + cost, 0)
  })
  const costRatio = (costB ?? 0) / (costA ?? 0)
  return {
    tasks: pairs.length,
    rateA: toMean(pairs.map(({ one }) => one.rate)),
    rateB: toMean(pairs.map(({ other }) => other.rate)),
    difference,
    margin: 1.96 * Math.sqrt(variance / Math.max(1, pairs.length)),
    onlyA,
    onlyB,
    p: toMcNemar(onlyA.length, onlyB.length),
    costRatio: Number.isFinite(costRatio) ? costRatio : null,
  }
}

/** Formats a comparison for a terminal. */
export function formatComparison(a: Results, b: Results, comparison: Comparison): string {
  const { tasks, rateA, rateB, difference, margin, onlyA, onlyB, p, costRatio } = comparison
  const name = ({ model, harness }: Results) => `${model} (harness ${harness})`
  const points = (share: number) => (share * 100).toFixed(1)
  return [
    `A: ${name(a)}`,
    `B: ${name(b)}`,
    `${tasks} tasks. A passes ${toPercent(rateA)}, B ${toPercent(rateB)}: a difference of ${points(difference)} ± ${points(margin)} points (95% interval over tasks).`,
    `Solved by A only: ${onlyA.length}; by B only: ${onlyB.length} (in most attempts). Exact McNemar test: p = ${p.toFixed(3)}.`,
    `Cost of B divided by cost of A: ${costRatio === null ? 'unknown' : costRatio.toFixed(2)}.`,
    ...onlyA.map((id) => `A only: ${id}`),
    ...onlyB.map((id) => `B only: ${id}`),
  ].join('\n')
}

/** Returns the exact two-sided p-value for the numbers of pairs that only one side solved. */
export function toMcNemar(onlyA: number, onlyB: number): number {
  const n = onlyA + onlyB
  let term = 0.5 ** n
  let tail = 0
  for (let i = 0; i <= Math.min(onlyA, onlyB); i += 1) {
    tail += term
    term = (term * (n - i)) / (i + 1)
  }
  return Math.min(1, 2 * tail)
}

function reject(reason: string, ids: readonly string[]): void {
  if (ids.length === 0) return
  throw new CallError(`${reason} ${ids.slice(0, 5).join(', ')}${ids.length > 5 ? `, and ${ids.length - 5} more` : ''}.`)
}
