import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import type { Database } from '../db/open-database.ts'
import { claimRun } from '../runs/claim-run.ts'
import { sweepRuns } from '../runs/sweep-runs.ts'
import { CLAIM_RULES, createTestRun, endLease, silent } from '../test-support/create-test-run.ts'
import { openOwnTestDatabase } from '../test-support/open-test-database.ts'

/** The built module, because threads cannot load TypeScript. */
const built = fileURLToPath(new URL('../../dist/watchdog/start-watchdog.js', import.meta.url))

const claimAs = (database: Database, owner: string, runId?: string) =>
  claimRun({ ...database, ...CLAIM_RULES, leaseSeconds: 60 }, { owner, ...(runId === undefined ? {} : { runId }) })

const readStalls = async ({ prisma }: Database, id: string) =>
  (await prisma.run.findUniqueOrThrow({ where: { id } })).stalls

/** Starts a process with a watchdog whose event loop stops until the file exists. */
function startStalled(url: string, owner: string, killMs: number, file: string) {
  const code = `const { existsSync } = await import('node:fs')
    const { startWatchdog } = await import(${JSON.stringify(built)})
    startWatchdog(${JSON.stringify({ url, owner, leaseSeconds: 2, killMs })})
    setInterval(() => {}, 1000)
    await new Promise((resolve) => setTimeout(resolve, 200))
    while (!existsSync(${JSON.stringify(file)}));
    console.log('responds')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

test('ends a process whose event loop has stopped, and ends a run that has stopped two of them', async () => {
  const database = await openOwnTestDatabase()
  const { runId, jobId } = await createTestRun(database)
  for (const owner of ['w1', 'w2']) {
    await claimAs(database, owner, runId)
    const child = startStalled(database.url, owner, 400, '/no/such/file')
    let log = ''
    child.stderr.on('data', (text) => {
      log += text
    })
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
    expect(JSON.parse(log)).toMatchObject({ name: 'watchdog', owner, runs: 1 })
    expect(await readStalls(database, runId)).toBe(owner === 'w1' ? 1 : 2)
    await endLease(database, runId)
  }
  expect(await claimAs(database, 'w3', runId)).toBeNull()
  const queue = { wakeWorker: async () => {}, countWakeUps: async () => 0, close: async () => {} }
  expect(await sweepRuns({ ...CLAIM_RULES, prisma: database.prisma, queue, log: silent })).toMatchObject({ ended: 1 })
  const job = await database.prisma.job.findUniqueOrThrow({ where: { id: jobId } })
  expect(job).toMatchObject({ status: 'failed', failureCode: 'worker_unresponsive' })
})

test('takes the stalls back if the event loop continues', async () => {
  const database = await openOwnTestDatabase()
  const { runId } = await createTestRun(database)
  await claimAs(database, 'w1', runId)
  const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-watchdog-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  const file = path.join(dir, 'continue')
  const child = startStalled(database.url, 'w1', 600_000, file)
  await expect.poll(() => readStalls(database, runId)).toBe(1)
  const continued = once(child.stdout, 'data')
  await writeFile(file, '')
  await continued
  await expect.poll(() => readStalls(database, runId)).toBe(0)
})

test('a worker with a run that has stopped a worker claims no other run', async () => {
  const database = await openOwnTestDatabase()
  const [suspect, other] = [await createTestRun(database), await createTestRun(database)]
  await database.prisma.run.update({ where: { id: suspect.runId }, data: { stalls: 1 } })
  expect(await claimAs(database, 'w1', suspect.runId)).not.toBeNull()
  expect(await claimAs(database, 'w1')).toBeNull()
  expect(await claimAs(database, 'w2')).toMatchObject({ runId: other.runId })
})
