import type { Measurement } from './measure.ts'
import type { TableSize } from './run-bench.ts'

/** Highest accepted ratio between the times on the large and on the small database. */
export const MAX_RATIO = 1.5

const NAME = 38
const cells = (...values: readonly string[]): string => values.map((value) => value.padStart(9)).join(' ')

export const HEADER = [
  `\n${''.padEnd(NAME)} ${cells('p50 small', 'large', 'ratio', 'p99 small', 'large', 'ratio', 'pages', 'large')}`,
  '-'.repeat(NAME + 8 * 10),
].join('\n')

const toRatios = ({ small, large }: Measurement) => [large.p50 / small.p50, large.p99 / small.p99] as const

export const isGrown = (measurement: Measurement): boolean => toRatios(measurement).some((ratio) => ratio > MAX_RATIO)

/** Times are in ms. */
export function formatRow(measurement: Measurement): string {
  const { name, small, large } = measurement
  const [p50, p99] = toRatios(measurement)
  const ms = (value: number) => value.toFixed(2)
  const ratio = (value: number) => `${value.toFixed(2)}${value > MAX_RATIO ? '!' : ' '}`
  const times = [ms(small.p50), ms(large.p50), ratio(p50), ms(small.p99), ms(large.p99), ratio(p99)]
  return `${name.padEnd(NAME)} ${cells(...times, String(small.pages), String(large.pages))}`
}

export function formatSizes(sizes: readonly TableSize[]): string {
  const jobs = sizes.find(({ table }) => table === 'jobs')?.rows ?? 0
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0)
  const kb = (bytes: number) => `${(bytes / jobs / 1000).toFixed(2)} kB`
  const rows = sizes
    .filter(({ bytes }) => bytes / total > 0.001)
    .map(({ table, rows, bytes }) => `${table.padEnd(NAME)} ${cells(String(Math.round(rows)), kb(bytes))}`)
  return [
    `\n${'Disk'.padEnd(NAME)} ${cells('rows', 'per job')}`,
    ...rows,
    `${'total'.padEnd(NAME)} ${cells('', kb(total))} (${(total / 1e9).toFixed(2)} GB)`,
  ].join('\n')
}
