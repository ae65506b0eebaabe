import type { Comparison } from './compare.ts'
import { toPercent } from './format-report.ts'
import type { Results } from './results.ts'

/** Formats a comparison as Markdown. */
export function formatComparison(a: Results, b: Results, comparison: Comparison): string {
  const { pairs, rateA, rateB, difference, interval, onlyA, onlyB, p, costRatio, costInterval } = comparison
  const name = ({ model, harness }: Results) => `${model.replace(/[`\s]+/g, ' ')} (harness ${harness})`
  const points = (share: number) => `${share > 0 ? '+' : ''}${(share * 100).toFixed(1)}`
  const cost =
    costRatio === null || costInterval === null
      ? 'Cost: unknown, because a price is missing or nothing was spent.'
      : `Cost of B divided by cost of A: ${costRatio.toFixed(2)} (95% interval: ${costInterval.low.toFixed(2)} to ${costInterval.high.toFixed(2)}).`
  const lines = [
    `A: ${name(a)}`,
    `B: ${name(b)}`,
    '',
    `${pairs.length} tasks. A passes ${toPercent(rateA)}, B ${toPercent(rateB)}: ${points(difference)} points (95% interval: ${points(interval.low)} to ${points(interval.high)}, tasks resampled).`,
    `Solved by A only: ${onlyA.length}; by B only: ${onlyB.length} (in most attempts). Exact McNemar test: p = ${p.toFixed(3)}.`,
    cost,
    ...(onlyA.length > 0 ? ['', 'A only:', ...onlyA.map((id) => `- ${id}`)] : []),
    ...(onlyB.length > 0 ? ['', 'B only:', ...onlyB.map((id) => `- ${id}`)] : []),
  ]
  return `${lines.join('\n')}\n`
}
