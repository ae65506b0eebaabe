import type { Series, TimeRange } from './start-prometheus.ts'

export interface Line {
  readonly name: string
  readonly points: Series['points']
}

const COLORS = ['#3871dc', '#e0752d', '#2f9e44', '#c4162a', '#8f3bb8', '#0f8a8a', '#b58900', '#5c6370']
const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [400, 170, 52, 16, 6]
const TICKS = 4
const MIB = 2 ** 20

export const toColor = (n: number) => COLORS[n % COLORS.length]

/** Draws lines over time as SVG. The vertical axis starts at 0. */
export function drawChart(lines: readonly Line[], { start, end }: TimeRange, unit: string): string {
  const values = lines.flatMap(({ points }) => points.map(([, value]) => value)).filter(Number.isFinite)
  const scale = unit === 'bytes' ? MIB : 1
  const top = roundUp(Math.max(...values, 0) / scale) * scale
  const toX = (time: number) => LEFT + ((time - start) / (end - start)) * (WIDTH - LEFT)
  const toY = (value: number) => HEIGHT - BOTTOM - (value / top) * (HEIGHT - BOTTOM - TOP)
  const grid = Array.from({ length: TICKS + 1 }, (_, n) => {
    const [value, y] = [(top * n) / TICKS, toY((top * n) / TICKS)]
    return `<line x1="${LEFT}" x2="${WIDTH}" y1="${y}" y2="${y}" stroke="#e4e6eb"/><text x="${LEFT - 4}" y="${y + 3}" text-anchor="end">${format(value, unit)}</text>`
  })
  const times = [0.02, 0.5, 0.98].map((part) => {
    const time = start + part * (end - start)
    const anchor = part < 0.1 ? 'start' : part > 0.9 ? 'end' : 'middle'
    return `<text x="${toX(time)}" y="${HEIGHT - 3}" text-anchor="${anchor}">${new Date(time * 1000).toISOString().slice(11, 19)}</text>`
  })
  const paths = lines.map(({ points }, n) => {
    let isDrawing = false
    const steps = points.map(([time, value]) => {
      const command = isDrawing ? 'L' : 'M'
      isDrawing = Number.isFinite(value)
      return isDrawing ? `${command}${toX(time).toFixed(1)} ${toY(value).toFixed(1)}` : ''
    })
    return `<path d="${steps.join('')}" fill="none" stroke="${toColor(n)}" stroke-width="1.5"/>`
  })
  return `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" font-size="9" fill="#5c6370">${[...grid, ...times, ...paths].join('')}</svg>`
}

/** Returns the next number of the form 1, 2, 4 or 10 times a power of ten. */
function roundUp(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return power * ([1, 2, 4, 10].find((one) => one * power >= value) ?? 10)
}

/** Formats a value in one of the dashboard's units. */
export function format(value: number, unit: string): string {
  if (!Number.isFinite(value)) return 'none'
  const short = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 })
  switch (unit) {
    case 'short':
      return short.format(value)
    case 's':
      return value !== 0 && value < 1 ? `${short.format(value * 1000)} ms` : `${short.format(value)} s`
    case 'currencyUSD':
      return `$${short.format(value)}`
    case 'reqps':
      return `${short.format(value)}/s`
    case 'bytes':
      return `${short.format(value / MIB)} MiB`
    case 'percentunit':
      return `${short.format(value * 100)}%`
    default:
      throw new Error(`The dashboard uses the unit ${unit}, which draw-chart.ts does not format.`)
  }
}
