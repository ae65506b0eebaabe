import { Registry } from 'prom-client'
import { onTestFinished } from 'vitest'
import { countEvents } from '../metrics/open-metrics.ts'

/**
 * Counts the events of this process until the test ends.
 * @returns a function that returns the counters above 0 by their name, without its prefix and ending,
 * and the values of their labels
 */
export function watchCounts(byProject = false): () => Promise<Record<string, number>> {
  const registry = new Registry()
  onTestFinished(countEvents(registry, byProject))
  return async () => {
    const counters = await registry.getMetricsAsJSON()
    const entries = counters.flatMap(({ name, values }) =>
      values.map(({ labels, value }) => {
        const key = [name.replace(/^corrigenda_|_total$/g, ''), ...Object.values(labels)].filter(Boolean).join(' ')
        return [key, value] as const
      }),
    )
    return Object.fromEntries(entries.filter(([, value]) => value > 0))
  }
}
