import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'

// Uses the compiled modules, because running the sources requires a loader.
const SCRIPT = `
const [db, runtime, start] = await Promise.all([
  import('@corrigenda/core/db'), import('@corrigenda/core/runtime'), import('./dist/webhooks/start-deliveries.js'),
])
const { url, webhookKey, allowedHookHosts, leaseSeconds } = JSON.parse(process.env.DELIVERIES)
const { prisma } = db.openDatabase({ url, maxConnections: 4, onError: () => {} })
const log = runtime.openLog({ level: 'silent', secrets: [] })
const deps = start.buildDeliverDeps({ prisma, log, webhookKey: Buffer.from(webhookKey, 'hex'), allowedHookHosts }, { leaseSeconds })
start.startDeliveries(deps, { owner: 'child', shutdown: new AbortController().signal, pollMs: 20 })
`

/**
 * Runs deliveries in a separate process. The process is killed when the test finishes, if not
 * earlier.
 */
export function spawnDeliveries(input: {
  url: string
  webhookKey: Buffer
  allowedHookHosts: readonly string[]
  leaseSeconds: number
}): ChildProcess {
  const { url, allowedHookHosts, leaseSeconds } = input
  const settings = JSON.stringify({ url, allowedHookHosts, leaseSeconds, webhookKey: input.webhookKey.toString('hex') })
  const child = spawn(process.execPath, ['--input-type=module', '--eval', SCRIPT], {
    cwd: fileURLToPath(new URL('../../..', import.meta.url)),
    env: { PATH: process.env.PATH ?? '', DELIVERIES: settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}
