import { chmod, mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { startPostgres } from '@corrigenda/embedded-postgres'
import { expect, inject, onTestFinished, test } from 'vitest'
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
  // A failed request can precede the second missed response.
  await expect.poll(() => monitor.isUp).toBe(false)
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

test('does not abort work when a single response is missed', async () => {
  const target = new URL(inject('postgresUrl'))
  let connections = 0
  let dropped = 0
  let drops = 0
  const proxy = net.createServer((socket) => {
    connections += 1
    const server = net.connect(Number(target.port), target.hostname)
    for (const side of [socket, server]) side.on('error', () => {})
    socket.on('close', () => server.destroy())
    server.pipe(socket)
    socket.on('data', (request) => {
      if (drops === 0) return void server.write(request)
      // The request is received, but its response never arrives.
      drops -= 1
      dropped += 1
      socket.destroy()
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const url = new URL(target)
  url.host = `127.0.0.1:${(proxy.address() as net.AddressInfo).port}`
  const changes: boolean[] = []
  const monitor = openMonitor({
    ...{ url: url.href, everyMs: 50, limitMs: 60_000, workLimitMs: 600_000 },
    onChange: (up) => changes.push(up),
  })
  onTestFinished(async () => {
    await monitor.close()
    proxy.close()
  })
  await expect.poll(() => connections).toBe(1)
  let finish: (value: string) => void = () => {}
  const work = monitor.run(() => new Promise<string>((resolve) => (finish = resolve)))
  drops = 1
  await expect.poll(() => dropped === 1 && connections === 2).toBe(true)
  finish('done')
  expect(await work).toBe('done')
  expect(changes).toEqual([])
})

test('rethrows errors from the watched work', async () => {
  const monitor = openMonitor({ url: 'postgresql://nobody@127.0.0.1:1/x' })
  onTestFinished(() => monitor.close())
  await expect(monitor.run(() => Promise.reject(new Error('mine')))).rejects.toThrow('mine')
  await expect.poll(() => monitor.isUp).toBe(false)
})
