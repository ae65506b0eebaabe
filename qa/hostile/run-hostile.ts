import { hostileRows } from './hostile-rows.ts'
import { type RowResult, runRows } from './run-rows.ts'

export interface HostileOptions {
  /** Runs only the rows whose name contains this string. If absent, all rows run. */
  readonly only?: string | undefined
  readonly print: (line: string) => void
  /** Default 1 GiB. */
  readonly maxResidentBytes?: number
  /** Default 500. */
  readonly maxDelayMs?: number
}

const MiB = 1024 * 1024

/**
 * Opens all hostile repositories in a worker process that downloads them in real child processes.
 * Prints the outcome, time and memory of each, and the longest time that the event loop was
 * blocked.
 * @returns the exit code: 0 if every result was as expected
 */
export async function runHostile(options: HostileOptions): Promise<number> {
  const { print, only } = options
  const maxBytes = options.maxResidentBytes ?? 1024 * MiB
  const maxDelayMs = options.maxDelayMs ?? 500
  const rows = hostileRows.filter((row) => only === undefined || row.name.includes(only))
  const isBad = (result: RowResult) =>
    result.faults.length > 0 || result.workerBytes > maxBytes || result.report.delayMs > maxDelayMs
  print('outcome            mode      ms  loop busy ms RSS MiB  child MiB  repository')
  const results = await runRows(rows, {
    workerModule: new URL('./hostile-worker.js', import.meta.url),
    onResult(result) {
      if (result.mode !== 'good' || isBad(result)) print(toLine(result, isBad(result)))
    },
  })
  const bad = results.filter(isBad)
  const max = (toNumber: (result: RowResult) => number) => Math.max(0, ...results.map(toNumber))
  const peak = `${(max((r) => r.workerBytes) / MiB).toFixed(0)} MiB (child ${(max((r) => r.childBytes) / MiB).toFixed(0)} MiB)`
  print(`\n${rows.length} repositories, ${results.length} runs, ${bad.length} failed`)
  print(`peak memory ${peak}, event loop blocked for at most ${max((r) => r.report.delayMs).toFixed(0)} ms`)
  return bad.length === 0 ? 0 : 1
}

function toLine(result: RowResult, bad: boolean): string {
  const { report } = result
  const outcome = report.refused?.split('\n')[0]?.slice(0, 17) ?? `readable (${report.count})`
  const columns = [
    outcome.padEnd(18),
    result.mode.padEnd(6),
    report.ms.toFixed(0).padStart(5),
    report.delayMs.toFixed(0).padStart(13),
    (result.workerBytes / MiB).toFixed(0).padStart(8),
    (result.childBytes / MiB).toFixed(0).padStart(10),
  ]
  return `${columns.join(' ')}  ${bad ? 'FAILED ' : ''}${result.name}${result.faults.map((fault) => `\n    ${fault}`).join('')}`
}
