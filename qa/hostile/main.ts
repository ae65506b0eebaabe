import { hostileRows } from './hostile-rows.ts'
import { type RowResult, runRows } from './run-rows.ts'

const MiB = 1024 * 1024
const MAX_RESIDENT_BYTES = 1024 * MiB
const MAX_DELAY_MS = 500

const print = (line: string) => console.log(line)

process.exitCode = await main(process.argv[2])

/**
 * Opens all hostile repositories in a worker process that downloads them in real child processes.
 * Prints the outcome, time and memory of each, and the longest time that the event loop was
 * blocked.
 * @param only runs only the rows whose name contains this string
 * @returns the exit code: 0 if every result was as expected
 */
async function main(only: string | undefined): Promise<number> {
  const rows = hostileRows.filter((row) => only === undefined || row.name.includes(only))
  const isBad = (result: RowResult) =>
    result.faults.length > 0 || result.workerBytes > MAX_RESIDENT_BYTES || result.report.delayMs > MAX_DELAY_MS
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
