import type { Page } from '@corrigenda/testkit'

/**
 * Metrics of a page's first load, as reported by page audit tools: times in ms, and values that do
 * not depend on the machine.
 */
interface LoadMetrics {
  readonly firstPaint: number
  readonly largestPaint: number
  /** Total blocking time: the time beyond 50 ms, summed over all long tasks. */
  readonly blocking: number
  /** Cumulative layout shift, a unitless score. 0 means no shift. */
  readonly shift: number
  /** The elements that moved, with their contributions to `shift`. */
  readonly moved: readonly string[]
  readonly scripts: readonly string[]
  /** Script bytes transferred, including headers. */
  readonly scriptBytes: number
}

/** Returns the browser's load measurements for this page so far. */
export async function measureLoad(page: Page): Promise<LoadMetrics> {
  await page.waitForLoadState('networkidle')
  return (await page.evaluate(`(async () => {
    const read = (type) => new Promise((done) => {
      const observer = new PerformanceObserver((list) => done(list.getEntries()))
      observer.observe({ type, buffered: true })
      // The callback is never called if nothing was recorded.
      setTimeout(() => done(observer.takeRecords()), 100)
    })
    const [paints, largest, tasks, shifts] =
      await Promise.all(['paint', 'largest-contentful-paint', 'longtask', 'layout-shift'].map(read))
    const scripts = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'))
    const sum = (numbers) => numbers.reduce((total, number) => total + number, 0)
    return {
      firstPaint: Math.round(paints.find(({ name }) => name === 'first-contentful-paint')?.startTime ?? 0),
      largestPaint: Math.round(largest.at(-1)?.startTime ?? 0),
      blocking: Math.round(sum(tasks.map(({ duration }) => Math.max(0, duration - 50)))),
      shift: Math.round(1000 * sum(shifts.filter((one) => !one.hadRecentInput).map(({ value }) => value))) / 1000,
      moved: shifts.filter(({ value }) => value > 0.005).map(({ value, sources }) =>
        value.toFixed(3) + ' ' + sources.map(({ node }) => node?.className || node?.nodeName).join(', ')),
      scripts: [...new Set(scripts.map(({ name }) => name))],
      scriptBytes: sum(scripts.map(({ transferSize }) => transferSize)),
    }
  })()`)) as LoadMetrics
}

/** Formats the metrics as one line of a report. */
export function describeLoad(name: string, metrics: LoadMetrics): string {
  const { firstPaint, largestPaint, blocking, shift, scripts, scriptBytes } = metrics
  return (
    `${name}: first contentful paint ${firstPaint} ms, largest ${largestPaint} ms, total blocking time ${blocking} ms, ` +
    `cumulative layout shift ${shift}, ${scripts.length} scripts, ${Math.round(scriptBytes / 1024)} KB of script transferred`
  )
}
