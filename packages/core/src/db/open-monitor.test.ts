import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { startPostgres } from '@corrigenda/embedded-postgres'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from './open-database.ts'
import { openMonitor } from './open-monitor.ts'

test('detects an unresponsive or stopped server and its recovery', async () => {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-monitor-'))
  await chmod(dir, 0o755)
  const options = { stateDir: path.join(dir, 'pg'), durable: false }
  let server = await startPostgres(options)
  const database = openDatabase({ url: server.url, maxConnections: 3, onError: () => {} })
  const changes: boolean[] = []
  const monitor = openMonitor({ url: server.url, everyMs: 50, limitMs: 2_500, onChange: (up) => changes.push(up) })
  onTestFinished(async () => {
    await monitor.close()
    await database.close()
    await server.stop()
    await rm(dir, { recursive: true, force: true })
  })
  const ask = () => monitor.run(() => database.prisma.$queryRaw`SELECT 1`)
  await ask()

  // A suspended server keeps its connections open, so only the monitor can detect the outage.
  const { rows } = await database.pool.query<{ pid: number }>(
    'SELECT pid FROM pg_stat_activity WHERE backend_type = $1',
    ['client backend'],
  )
  const pids = [server.pid, ...rows.map((row) => row.pid)]
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  try {
    await expect(ask()).rejects.toMatchObject({ code: 'service_unavailable' })
    expect(monitor.isUp).toBe(false)
    await expect(ask()).rejects.toMatchObject({ code: 'service_unavailable' })
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  }
  await expect
    .poll(() =>
      ask().then(
        () => 'up',
        () => 'away',
      ),
    )
    .toBe('up')

  await server.stop()
  await expect
    .poll(() =>
      ask().then(
        () => 'up',
        (error) => error.code,
      ),
    )
    .toBe('service_unavailable')
  server = await startPostgres({ ...options, port: server.port })
  await expect
    .poll(() =>
      ask().then(
        () => 'up',
        () => 'away',
      ),
    )
    .toBe('up')
  // Each change is reported once. On a busy machine, further outages may be reported in between.
  expect(changes.length).toBeGreaterThanOrEqual(4)
  expect(changes).toEqual(changes.map((_, index) => index % 2 === 1))
  expect(changes.at(-1)).toBe(true)
})

test('rethrows errors from the watched work', async () => {
  const monitor = openMonitor({ url: 'postgresql://nobody@127.0.0.1:1/x' })
  onTestFinished(() => monitor.close())
  await expect(monitor.run(() => Promise.reject(new Error('mine')))).rejects.toThrow('mine')
  await expect.poll(() => monitor.isUp).toBe(false)
})
