import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)))
const folder = path.join(root, 'deploy/observability')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const { parse } = createRequire(path.join(root, 'apps/worker/package.json'))('yaml') as {
  parse(text: string): unknown
}

interface Alert {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly runbook_url: string }
}

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[]
}

const { groups } = parse(read('deploy/observability/alerts.yml')) as { groups: { rules: Alert[] }[] }
const alerts = groups.flatMap(({ rules }) => rules)
const tests = parse(read('deploy/observability/alerts.test.yml')) as {
  tests: { alert_rule_test: { alertname: string; exp_alerts?: unknown[] }[] }[]
}
const dashboard = JSON.parse(read('deploy/observability/grafana-dashboard.json')) as Dashboard
const promtool = (...args: string[]) => spawnSync('promtool', args, { cwd: folder, encoding: 'utf8' })
const hasPromtool = promtool('--version').status === 0

/** Metrics that the sources define, by their literal names. */
const SOURCES = [
  'packages/core/src/metrics/add-service-gauges.ts',
  'packages/core/src/metrics/count-event.ts',
  'packages/core/src/metrics/open-metrics.ts',
  'apps/api/src/start-metrics.ts',
  'apps/worker/src/metrics/start-metrics.ts',
]
const defined = new Set([
  ...SOURCES.flatMap((source) => read(source).match(/corrigenda_[a-z_]+/g) ?? []),
  'corrigenda_cache_filesystem_size_bytes',
  'corrigenda_cache_filesystem_free_bytes',
])
const toMetrics = (query: string) =>
  (query.match(/corrigenda_[a-z_]+/g) ?? []).map((name) => name.replace(/_(?:bucket|sum|count)$/, ''))

it.skipIf(!hasPromtool)('promtool accepts the rules, and their unit tests pass (skipped without promtool)', () => {
  const rules = promtool('check', 'rules', 'alerts.yml')
  expect(rules.stdout + rules.stderr).toContain(`SUCCESS: ${alerts.length} rules found`)
  const tested = promtool('test', 'rules', 'alerts.test.yml')
  expect([tested.stdout + tested.stderr, tested.status]).toEqual([expect.stringContaining('SUCCESS'), 0])
})

it('every alert has a test in which it fires and one in which it does not', () => {
  const cases = tests.tests.flatMap(({ alert_rule_test }) => alert_rule_test)
  for (const { alert } of alerts) {
    const own = cases.filter(({ alertname }) => alertname === alert).map(({ exp_alerts }) => exp_alerts !== undefined)
    expect([alert, own.includes(true), own.includes(false)]).toEqual([alert, true, true])
  }
})

it('every alert links to its section of the runbook, and every section belongs to an alert', () => {
  const sections = [...read('docs/runbook.md').matchAll(/^## (.+)$/gm)].map(([, title]) => title)
  expect(sections).toEqual(alerts.map(({ alert }) => alert))
  for (const { alert, annotations, labels } of alerts) {
    expect(annotations.runbook_url.split('/docs/')[1]).toBe(`runbook.md#${alert.toLowerCase()}`)
    expect(labels.severity).toMatch(/^(?:critical|warning)$/)
  }
})

it('alerts, dashboard and documentation name only metrics that exist', () => {
  const panels = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
  expect(panels.length).toBeGreaterThan(20)
  const named = [...panels, ...alerts.map(({ expr }) => expr), read('docs/monitoring.md'), read('docs/runbook.md')]
  const unknown = named.flatMap(toMetrics).filter((name) => !defined.has(name))
  expect(unknown).toEqual([])
})

it('the documentation lists every metric', () => {
  const documented = new Set(toMetrics(read('docs/monitoring.md')))
  // Parts of names.
  const parts = ['corrigenda_cache_filesystem']
  expect([...defined].filter((name) => !documented.has(name) && !parts.includes(name))).toEqual([])
})
