import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HostileHost } from './hostile-host.ts'
import { startHostileHost } from './hostile-host.ts'
import type { HostileJob, HostileReport } from './hostile-job.ts'
import { buildGoodOrigin, type HostileExpectation, type HostileRow } from './hostile-row.ts'

export interface RowResult {
  readonly name: string
  /**
   * `first` for a first download, `update` for a change from a valid repository to this one, and
   * `good` for a valid repository afterwards.
   */
  readonly mode: 'first' | 'update' | 'good'
  readonly report: HostileReport
  /** Deviations from the expectation. Empty on success. */
  readonly faults: readonly string[]
  /** Maximum resident memory observed, in bytes, of the process and of any of its children. */
  readonly workerBytes: number
  readonly childBytes: number
}

interface RowsOptions {
  /** The compiled `hostile-worker.js`. */
  readonly workerModule: URL
  /**
   * Alternates between first downloads and updates instead of running both for each repository,
   * which halves the time.
   */
  readonly alternate?: boolean
  readonly onResult?: (result: RowResult) => void
}

/**
 * Opens each repository in a worker process, as a first download and as an update. Checks the
 * outcome, files outside the cache, leftover processes and temporary files, and that the process
 * can still open a valid repository afterwards.
 */
export async function runRows(rows: readonly HostileRow[], options: RowsOptions): Promise<RowResult[]> {
  const sandbox = mkdtempSync(join(tmpdir(), 'corrigenda-hostile-'))
  const cacheDir = join(sandbox, 'cache')
  for (const name of ['cache', 'home', 'tmp', 'work']) mkdirSync(join(sandbox, name))
  const env = { HOME: join(sandbox, 'home'), TMPDIR: join(sandbox, 'tmp'), PATH: '' }
  const worker = fork(options.workerModule, [], { env, cwd: join(sandbox, 'work'), execArgv: [] })
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()))
  const results: RowResult[] = []
  try {
    await using host = await startHostileHost()
    const inTurn = async (row: HostileRow, mode: RowResult['mode'], expect: HostileExpectation) => {
      const before = listOutside(sandbox)
      const job = toJob({ host, cacheDir, row, mode })
      const meter = startMemoryMeter(worker.pid ?? 0)
      const report = await ask(worker, job)
      const { workerBytes, childBytes } = meter.stop()
      const faults = [
        ...compare(report, expect),
        ...findStrangers(before, listOutside(sandbox)).map((path) => `outside the cache: ${path}`),
        ...(await waitForLeftovers(cacheDir, worker.pid ?? 0)),
      ]
      const result = { name: row.name, mode, report, faults, workerBytes, childBytes }
      results.push(result)
      options.onResult?.(result)
    }
    const good: HostileRow = { name: 'a valid repository', build: buildGoodOrigin, expect: soundness }
    for (const [n, row] of rows.entries()) {
      const onlyUpdate = options.alternate === true && n % 2 === 1 && row.lazyPath === undefined
      const onlyFirst = row.lazyPath !== undefined || (options.alternate === true && !onlyUpdate)
      good.build(host.put('/shared'))
      await inTurn({ ...good, name: `${good.name} after: ${results.at(-1)?.name ?? 'nothing'}` }, 'good', good.expect)
      const hostile = host.put(toPath(row))
      row.build(hostile)
      if (!onlyUpdate) await inTurn(row, 'first', row.expect)
      if (onlyFirst) continue
      host.put('/shared', hostile)
      await inTurn(row, 'update', row.expectUpdate ?? row.expect)
    }
    good.build(host.put('/shared'))
    await inTurn(good, 'good', good.expect)
    worker.send({ kind: 'stop' } satisfies HostileJob)
    await ended
    return results
  } finally {
    worker.kill('SIGKILL')
    await ended
    rmSync(sandbox, { recursive: true, force: true, maxRetries: 3 })
  }
}

const soundness: HostileExpectation = { outcome: 'readable', paths: ['README.md', 'docs/page.md'] }

interface JobParts {
  readonly host: HostileHost
  readonly cacheDir: string
  readonly row: HostileRow
  readonly mode: RowResult['mode']
}

function toJob({ host, cacheDir, row, mode }: JobParts): HostileJob {
  const own = mode === 'first'
  return {
    kind: 'work',
    cacheDir,
    url: `${host.address}${own ? toPath(row) : '/shared'}`,
    tenant: own ? row.name : 'shared',
    lazyPath: row.lazyPath ?? null,
  }
}

/** Returns a separate path per row, because downloaded data is cached by URL. */
function toPath(row: HostileRow): string {
  return `/${Buffer.from(row.name).toString('hex').slice(0, 200)}`
}

function ask(worker: ChildProcess, job: HostileJob): Promise<HostileReport> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error('The worker process exited.'))
    worker.once('exit', onExit)
    worker.once('message', (message) => {
      worker.off('exit', onExit)
      resolve(message as HostileReport)
    })
    worker.send(job)
  })
}

function compare(report: HostileReport, expect: HostileExpectation): string[] {
  if (expect.outcome === 'refused') {
    if (report.refused === null) return ['was not rejected']
    return expect.codes.includes(report.refused) ? [] : [`was rejected with ${report.refused}`]
  }
  if (report.refused !== null) return [`was rejected with ${report.refused}: ${report.message}`]
  const same =
    typeof expect.paths === 'number'
      ? report.count === expect.paths
      : JSON.stringify(report.paths) === JSON.stringify(expect.paths)
  return same ? [] : [`lists ${report.count} paths: ${JSON.stringify(report.paths.slice(0, 10))}`]
}

/** Lists everything in the sandbox except the cache, with sizes and modification times. */
function listOutside(sandbox: string): string[] {
  const found: string[] = []
  const visit = (dir: string) => {
    for (const entry of readdirSync(dir, { withFileTypes: true })) {
      const path = join(dir, entry.name)
      if (path === join(sandbox, 'cache')) continue
      const { size, mtimeMs } = statSync(path)
      found.push(`${path} ${size} ${mtimeMs}`)
      if (entry.isDirectory()) visit(path)
    }
  }
  visit(sandbox)
  return found
}

function findStrangers(before: readonly string[], after: readonly string[]): string[] {
  const known = new Set(before)
  const now = new Set(after)
  return [...after.filter((line) => !known.has(line)), ...before.filter((line) => !now.has(line))]
}

/** Waits for background work, such as copying a grown repository, and returns the leftovers. */
async function waitForLeftovers(cacheDir: string, pid: number): Promise<string[]> {
  for (let tries = 0; ; tries++) {
    const left = [
      ...listTemporary(cacheDir).map((path) => `leftover in the cache: ${path}`),
      ...listChildren(pid).map((child) => `leftover process: ${child}`),
    ]
    if (left.length === 0 || tries === 200) return left
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function listTemporary(cacheDir: string): string[] {
  try {
    const all = readdirSync(cacheDir, { recursive: true, encoding: 'utf8' })
    return all.filter((path) => /(^|\/)(tmp|trash-|.*\.lock$)/.test(path))
  } catch {
    // An entry was removed during the listing, so a leftover still existed.
    return ['a directory that was being removed']
  }
}

function listChildren(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

function readResidentBytes(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1] ?? 0) * 4096
  } catch {
    return 0
  }
}

function startMemoryMeter(pid: number): { stop(): { workerBytes: number; childBytes: number } } {
  let workerBytes = 0
  let childBytes = 0
  const readOnce = () => {
    workerBytes = Math.max(workerBytes, readResidentBytes(pid))
    for (const child of listChildren(pid)) childBytes = Math.max(childBytes, readResidentBytes(child))
  }
  const timer = setInterval(readOnce, 20)
  return {
    stop() {
      readOnce()
      clearInterval(timer)
      return { workerBytes, childBytes }
    },
  }
}
