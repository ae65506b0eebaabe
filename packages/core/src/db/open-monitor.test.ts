import net from 'node:net'
import { expect, inject, onTestFinished, test } from 'vitest'
import { openDatabase } from './open-database.ts'
import { openMonitor } from './open-monitor.ts'

test('detects an unresponsive or stopped server and its recovery', async () => {
  const proxy = await openBreakingProxy()
  const changes: (string | null)[] = []
  const onChange = (outage: string | null) => changes.push(outage)
  const monitor = openMonitor({ url: proxy.url, everyMs: 20, limitMs: 500, onChange })
  onTestFinished(async () => {
    await monitor.close()
    await proxy.close()
  })
  const state = () =>
    monitor
      .run(async () => 'up')
      .catch((error) => {
        expect(error.code).toBe('service_unavailable')
        return 'down'
      })
  const interrupt = async (work: () => void) => {
    await expect.poll(state).toBe('up')
    const interrupted = monitor.run(() => new Promise(() => {}))
    work()
    await expect(interrupted).rejects.toMatchObject({ name: 'InterruptedError', reason: 'down' })
    expect(await state()).toBe('down')
  }
  // An unresponsive server keeps its connections open.
  await interrupt(proxy.stall)
  proxy.resume()
  await interrupt(() => void proxy.close())
  await proxy.listen()
  await expect.poll(state).toBe('up')
  // Each change is reported once. On a busy machine, further outages may be reported in between.
  expect(changes.length).toBeGreaterThanOrEqual(4)
  expect(changes.map((outage) => outage === null)).toEqual(changes.map((_, index) => index % 2 === 1))
  expect(changes[0]).toBe('no response within 500 ms')
  expect(changes.at(-2)).toMatch(/ECONNREFUSED|ECONNRESET|terminat|no response/)
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
    await proxy.close()
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
  const state = { answered: 0, isArmed: false, isBroken: false, isStalled: false }
  const sockets = new Set<net.Socket>()
  const server = net.createServer((client) => {
    const upstream = net.connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
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
      } else if (!state.isStalled) upstream.write(data)
    })
    upstream.on('data', (data) => {
      if (isQuerying) state.answered += 1
      client.write(data)
    })
  })
  let port = 0
  const listen = async () => {
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    port = (server.address() as net.AddressInfo).port
  }
  await listen()
  const url = new URL(target)
  url.host = `127.0.0.1:${port}`
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
    stall() {
      state.isStalled = true
    },
    resume() {
      state.isStalled = false
    },
    /** Listens again on the same port. */
    listen,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
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
