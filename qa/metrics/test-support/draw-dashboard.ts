import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { drawChart, format, type Line, toColor } from './draw-chart.ts'
import type { Prometheus, Series, TimeRange } from './start-prometheus.ts'

const DASHBOARD = path.resolve(import.meta.dirname, '../../../deploy/observability/grafana-dashboard.json')
const ROW_PX = 38

interface Panel {
  readonly type: 'stat' | 'timeseries'
  readonly title: string
  /** In units of Grafana's grid, which has 24 columns. */
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly fieldConfig: { readonly defaults: { readonly unit: string } }
  readonly targets: readonly { readonly expr: string; readonly legendFormat: string }[]
}

interface DrawnDashboard {
  readonly html: string
  /** Queries that return no series. */
  readonly empty: readonly string[]
}

/**
 * Draws the panels of the shipped Grafana dashboard from its own queries, as Grafana arranges them.
 * @throws Error if Prometheus rejects a query
 */
export async function drawDashboard(prometheus: Prometheus, range: TimeRange): Promise<DrawnDashboard> {
  const { title, panels } = JSON.parse(await readFile(DASHBOARD, 'utf8')) as { title: string; panels: Panel[] }
  const empty: string[] = []
  const drawn: string[] = []
  for (const panel of panels) {
    const lines: Line[] = []
    for (const { expr, legendFormat } of panel.targets) {
      const found = await prometheus.queryRange(expr, range)
      if (found.length === 0) empty.push(expr)
      lines.push(...found.map((series) => ({ name: toName(legendFormat, series), points: series.points })))
    }
    drawn.push(drawPanel(panel, lines, range))
  }
  const [from, to] = [range.start, range.end].map((time) => new Date(time * 1000).toISOString().slice(0, 19))
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escapeHtml(title)}</title>
<style>${STYLE}</style><h1>${escapeHtml(title)}</h1><p>${from} to ${to} UTC</p><main>${drawn.join('\n')}</main></html>`
  return { html, empty }
}

const toName = (legend: string, { labels }: Series) =>
  legend.replace(/\{\{\s*(\w+)\s*\}\}/g, (_all, label: string) => labels[label] ?? '')

function drawPanel({ type, title, gridPos, fieldConfig, targets }: Panel, lines: readonly Line[], range: TimeRange) {
  const { x, y, w, h } = gridPos
  const { unit } = fieldConfig.defaults
  const place = `grid-column: ${x + 1} / span ${w}; grid-row: ${y + 1} / span ${h}`
  const isStat = type === 'stat'
  const values = lines.map(({ name, points }, n) => {
    const value = format(points.at(-1)?.[1] ?? Number.NaN, unit)
    return isStat
      ? `<li><b>${value}</b> ${escapeHtml(name)}</li>`
      : `<li><i style="background:${toColor(n)}"></i>${escapeHtml(name)} <b>${value}</b></li>`
  })
  const chart = isStat ? '' : drawChart(lines, range, unit)
  const content = lines.length === 0 ? '<p>No data</p>' : `${chart}<ul>${values.join('')}</ul>`
  const hint = escapeHtml(targets.map(({ expr }) => expr).join('\n'))
  return `<section class="${type}" style="${place}" title="${hint}"><h2>${escapeHtml(title)}</h2>${content}</section>`
}

const escapeHtml = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const STYLE = `
body { margin: 16px; font: 12px system-ui, sans-serif; color: #1f2430; background: #f4f5f7 }
h1 { font-size: 18px; margin: 0 }
main { display: grid; grid-template-columns: repeat(24, 1fr); grid-auto-rows: ${ROW_PX}px; gap: 6px }
section { background: #fff; border: 1px solid #d8dbe2; border-radius: 3px; padding: 8px; overflow: hidden;
  display: flex; flex-direction: column }
h2 { font-size: 13px; margin: 0 0 4px }
svg { width: 100%; flex: 1; min-height: 0 }
ul { list-style: none; margin: 2px 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0 12px }
i { display: inline-block; width: 10px; height: 3px; margin-right: 4px; vertical-align: middle }
.stat ul { flex: 1; align-items: center; justify-content: space-evenly; font-size: 14px }
.stat b { font-size: 40px }`
