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
  const changes: (string | null)[] = []
  const onChange = (outage: string | null) => changes.push(outage)
  const monitor = openMonitor({ url: server.url, everyMs: 50, limitMs: 2_500, onChange })
  onTestFinished(async () => {
    await monitor.close()
    await database.close()
    await server.stop()
    await rm(dir, { recursive: true, force: true })
  })
  const ask = () => monitor.run(() => database.prisma.$queryRaw`SELECT 1`)
  const state = () =>
    ask().then(
      () => 'up',
      (error) => error.code ?? error.reason,
    )
  await expect.poll(state).toBe('up')

  // A suspended server keeps its connections open, so only the monitor can detect the outage.
  const { rows } = await database.pool.query<{ pid: number }>(
    'SELECT pid FROM pg_stat_activity WHERE backend_type = $1',
    ['client backend'],
  )
  const pids = [server.pid, ...rows.map((row) => row.pid)]
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  try {
    await expect(ask()).rejects.toMatchObject({ name: 'InterruptedError', reason: 'down' })
    expect(monitor.isUp).toBe(false)
    await expect(ask()).rejects.toMatchObject({ code: 'service_unavailable' })
  } finally {
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  }
  await expect.poll(state).toBe('up')

  await server.stop()
  await expect.poll(state).toBe('service_unavailable')
  // A failed request can precede the second missed response.
  await expect.poll(() => monitor.isUp).toBe(false)
  server = await startPostgres({ ...options, port: server.port })
  await expect.poll(state).toBe('up')
  // Each change is reported once. On a busy machine, further outages may be reported in between.
  expect(changes.length).toBeGreaterThanOrEqual(4)
  expect(changes.map((outage) => outage === null)).toEqual(changes.map((_, index) => index % 2 === 1))
  expect(changes[0]).toBe('no response within 2500 ms')
  expect(changes.at(-2)).toMatch(/ECONNREFUSED|ECONNRESET|terminat|shutting down/)
  expect(changes.at(-1)).toBeNull()
})

test('does not abort work when a single response is missed', async () => {
  const proxy = await openBreakingProxy()
  const changes: (string | null)[] = []
  const monitor = openMonitor({
    url: proxy.url,
    everyMs: 50,
    limitMs: 60_000,
    workLimitMs: 600_000,
    onChange: (outage) => changes.push(outage),
  })
  onTestFinished(async () => {
    await monitor.close()
    proxy.close()
  })
  let finish: (value: string) => void = () => {}
  const work = monitor.run(() => new Promise<string>((resolve) => (finish = resolve))).catch((error) => error)
  await expect.poll(() => proxy.answered).toBeGreaterThan(0)
  proxy.breakNextQuery()
  await expect.poll(() => proxy.isBroken).toBe(true)
  const before = proxy.answered
  await expect.poll(() => proxy.answered).toBeGreaterThan(before)
  finish('done')
  expect(await work).toBe('done')
  expect(changes).toEqual([])
})

/** Opens a TCP proxy for Postgres that can close a connection instead of forwarding a query. */
async function openBreakingProxy() {
  const target = new URL(inject('postgresUrl'))
  const state = { answered: 0, isArmed: false, isBroken: false }
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      from.on('error', () => {})
      from.on('close', () => to.destroy())
    }
    let isQuerying = false
    client.on('data', (data) => {
      // The type of a message is its first byte. The monitor waits for the response to a query
      // before it sends the next one, so no chunk starts within a message.
      isQuerying = data[0] === 'Q'.charCodeAt(0)
      if (isQuerying && state.isArmed) {
        Object.assign(state, { isArmed: false, isBroken: true })
        client.destroy()
      } else upstream.write(data)
    })
    upstream.on('data', (data) => {
      if (isQuerying) state.answered += 1
      client.write(data)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(target)
  url.host = `127.0.0.1:${(server.address() as net.AddressInfo).port}`
  return {
    url: url.href,
    get answered() {
      return state.answered
    },
    get isBroken() {
      return state.isBroken
    },
    breakNextQuery() {
      state.isArmed = true
    },
    close: () => server.close(),
  }
}

test('rethrows errors from the watched work', async () => {
  const monitor = openMonitor({ url: 'postgresql://nobody@127.0.0.1:1/x' })
  onTestFinished(() => monitor.close())
  await expect(monitor.run(() => Promise.reject(new Error('mine')))).rejects.toThrow('mine')
  await expect.poll(() => monitor.isUp).toBe(false)
})

test('a slow response does not count as an outage while other connections receive data', async () => {
  // Accepts connections and never responds.
  const server = net.createServer((socket) => void socket.on('error', () => {}))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `postgresql://nobody@127.0.0.1:${(server.address() as net.AddressInfo).port}/x`
  let probes = 0
  let received = 0
  let isReceiving = true
  const countBytes = () => {
    probes += 1
    if (isReceiving) received += 1
    return received
  }
  const monitor = openMonitor({ url, everyMs: 1, limitMs: 20, countBytes })
  onTestFinished(async () => {
    await monitor.close()
    server.close()
  })
  await expect.poll(() => probes).toBeGreaterThan(10)
  expect(monitor.isUp).toBe(true)
  isReceiving = false
  await expect.poll(() => monitor.isUp).toBe(false)
})

test('the bytes of a database include those of closed connections', async () => {
  const database = openDatabase({ url: inject('postgresUrl'), maxConnections: 1, onError: () => {} })
  expect(database.countBytes()).toBe(0)
  onTestFinished(() => database.close())
  const client = await database.pool.connect()
  const closed = new Promise((resolve) => client.once('end', resolve))
  await client.query("SELECT repeat('x', 10000)")
  const before = database.countBytes()
  expect(before).toBeGreaterThan(10_000)
  client.release(true)
  await closed
  expect(database.countBytes()).toBeGreaterThanOrEqual(before)
})
