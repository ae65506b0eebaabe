import { writeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { workerData } from 'node:worker_threads'
import pg from 'pg'
import type { WatchdogData } from './start-watchdog.ts'

// Entry point of the thread. See startWatchdog.

const { url, owner, beats, lookMs, markMs, killMs }: WatchdogData = workerData
const STATEMENT_MS = 3_000

interface Stalled {
  readonly id: string
  readonly attempt: number
}

/** Runs one statement on a connection of its own, because the pool belongs to the stalled thread. */
async function run(text: string, values: readonly unknown[]): Promise<Stalled[]> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: STATEMENT_MS,
    query_timeout: STATEMENT_MS,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query<Stalled>(text, [...values])).rows
  } catch (error) {
    report('stalls not recorded', { reason: error instanceof Error ? error.name : 'unknown' })
    return []
  } finally {
    await client.end().catch(() => {})
  }
}

const countStalls = () =>
  run(
    `UPDATE runs SET stalls = stalls + 1
     WHERE active AND lease_owner = $1 AND lease_until >= clock_timestamp() RETURNING id, attempt`,
    [owner],
  )

const takeBack = (stalled: readonly Stalled[]) =>
  run(
    `UPDATE runs SET stalls = stalls - 1 FROM unnest($1::text[], $2::int[]) AS stalled (id, attempt)
     WHERE runs.id = stalled.id AND runs.attempt = stalled.attempt AND runs.active AND runs.stalls > 0`,
    [stalled.map(({ id }) => id), stalled.map(({ attempt }) => attempt)],
  )

/** Writes a line in the form of the log, whose own thread of execution is stalled. */
function report(msg: string, fields: Readonly<Record<string, unknown>>): void {
  const line = { level: 60, time: Date.now(), name: 'watchdog', owner, ...fields, msg }
  writeSync(2, `${JSON.stringify(line)}\n`)
}

let seen = -1
let missed = 0
let stalled: readonly Stalled[] | null = null
for (;;) {
  await sleep(lookMs)
  const now = Atomics.load(beats, 0)
  if (now !== seen) {
    seen = now
    missed = 0
    if (stalled !== null) await takeBack(stalled)
    stalled = null
    continue
  }
  missed += 1
  if (stalled === null && missed * lookMs >= markMs) stalled = await countStalls()
  if (missed * lookMs < killMs) continue
  report('the event loop has stopped; ending the process', { seconds: killMs / 1000, runs: stalled?.length ?? 0 })
  process.kill(process.pid, 'SIGKILL')
}
