import http from 'node:http'
import net from 'node:net'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { takeTurns } from './take-turns.ts'

/**
 * Opens a server whose handlers run until they are released. The key is also the owner, which has
 * at most 2 turns.
 */
async function open() {
  const app = fastify()
  const turns = takeTurns(app, { requests: 20, searches: 3 })
  const running: string[] = []
  const releases = new Map<string, () => void>()
  app.addHook('onRequest', async (request) => {
    const { authorization = '' } = request.headers
    if (authorization.startsWith('known')) turns.noteOwner(request, authorization.replace(/^known-|-.*$/g, ''))
  })
  const handle = (name: string) => {
    running.push(name)
    return new Promise<string>((resolve) => releases.set(name, () => resolve(name)))
  }
  app.all('/slow/:name', (request) => handle((request.params as { name: string }).name))
  app.get('/page/:name', { config: { database: 'none' } }, (request) =>
    handle((request.params as { name: string }).name),
  )
  app.get('/stream/:name', async (request, reply) => {
    running.push((request.params as { name: string }).name)
    turns.end(request)
    reply.hijack()
    return reply
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const agent = new http.Agent()
  onTestFinished(async () => {
    for (const release of releases.values()) release()
    agent.destroy()
    await app.close()
  })
  /** Starts a request and returns it. */
  const ask = (path: string, key?: string) => {
    const request = http.get(`${url}${path}`, { agent, headers: key === undefined ? {} : { authorization: key } })
    request.on('error', () => {})
    return request
  }
  const seen = (names: readonly string[]) => expect.poll(() => [...running].sort()).toEqual([...names].sort())
  return { app, url, ask, running, seen, release: (name: string) => releases.get(name)?.() }
}

test('one owner has at most a tenth of the turns, or two, with all of its keys', async () => {
  const { ask, seen, release, running } = await open()
  for (const name of ['a1', 'a2', 'a3', 'a4']) ask(`/slow/${name}`, `known-a-${name}`)
  await expect.poll(() => running.length).toBe(2)
  ask('/slow/b1', 'known-b')
  await expect.poll(() => running).toContain('b1')
  expect(running).toHaveLength(3)
  for (const name of [...running]) release(name)
  await seen(['a1', 'a2', 'a3', 'a4', 'b1'])
})

test('a dominant owner pauses between its requests and between its searches', async () => {
  const app = fastify()
  const counted: string[] = []
  const shares = { count: (owner: string) => void counted.push(owner), isDominant: () => true }
  takeTurns(app, { requests: 20, searches: 3, shares })
  const [starts, ends]: [number[], number[]] = [[], []]
  app.get('/slow', async () => {
    starts.push(performance.now())
    await new Promise((resolve) => setTimeout(resolve, 20))
    ends.push(performance.now())
    return ''
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const url = `http://127.0.0.1:${(app.server.address() as net.AddressInfo).port}/slow?q=x`
  await Promise.all([1, 2, 3].map(async () => (await fetch(url)).text()))
  // One search at a time, with a pause of three times its duration.
  expect((starts[1] ?? 0) - (ends[0] ?? 0)).toBeGreaterThan(55)
  expect((starts[2] ?? 0) - (ends[1] ?? 0)).toBeGreaterThan(55)
  expect(counted).toEqual(Array.from({ length: 6 }, () => 'address:127.0.0.1'))
})

test('unknown keys share the turns of their address', async () => {
  const { ask, running, release, seen } = await open()
  ask('/slow/a0', 'known-a')
  await expect.poll(() => running).toEqual(['a0'])
  for (const name of ['x1', 'x2', 'x3']) ask(`/slow/${name}`, `invented-${name}`)
  await expect.poll(() => running.length).toBe(3)
  ask('/slow/a1', 'known-a')
  await expect.poll(() => running).toContain('a1')
  expect(running).toHaveLength(4)
  for (const name of [...running]) release(name)
  await seen(['a0', 'a1', 'x1', 'x2', 'x3'])
})

test('a client that disconnects keeps its turn until its handler has ended', async () => {
  const { ask, running, release, app } = await open()
  const requests = ['a1', 'a2'].map((name) => ask(`/slow/${name}`, 'known-a'))
  await expect.poll(() => running.length).toBe(2)
  ask('/slow/a3', 'known-a')
  for (const request of requests) request.destroy()
  await expect.poll(() => new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)))).toBe(1)
  await new Promise(setImmediate)
  expect(running).toHaveLength(2)
  release('a1')
  await expect.poll(() => running).toContain('a3')
})

test('a client that disconnects while it waits takes no turn', async () => {
  const { ask, running, release, app } = await open()
  for (const name of ['a1', 'a2']) ask(`/slow/${name}`, 'known-a')
  await expect.poll(() => running.length).toBe(2)
  const gone = ask('/slow/a3', 'known-a')
  const count = () => new Promise((resolve) => app.server.getConnections((_, number) => resolve(number)))
  await expect.poll(count).toBe(3)
  gone.destroy()
  await expect.poll(count).toBe(2)
  ask('/slow/a4', 'known-a')
  release('a1')
  await expect.poll(() => running).toEqual(['a1', 'a2', 'a4'])
})

test('slow uploads hold no turns, and the number of bodies of one owner is limited', async () => {
  const { url, ask, running, release } = await open()
  const { port } = new URL(url)
  const sockets = Array.from({ length: 30 }, (_, n) => {
    const socket = net.connect(Number(port), '127.0.0.1')
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    const head = `POST /slow/upload-${n} HTTP/1.1\r\nhost: x\r\nauthorization: known-a\r\ncontent-type: application/json\r\n`
    socket.write(`${head}content-length: 10\r\n\r\n"12`)
    return socket
  })
  ask('/slow/a1', 'known-a')
  await expect.poll(() => running).toEqual(['a1'])
  // 20 of the uploads have started, so these complete first.
  for (const socket of sockets.slice(20)) socket.write('345678"')
  for (const socket of sockets.slice(0, 1)) socket.write('345678"')
  await expect.poll(() => running).toEqual(['a1', 'upload-0'])
  release('a1')
  // An aborted upload makes room for another one.
  for (const socket of sockets.slice(1, 20)) socket.destroy()
  await expect.poll(() => running.length).toBe(3)
  expect(running).toContainEqual(expect.stringMatching(/^upload-2\d$/))
})

test('clients that disconnect before their upload is read hold no turns', async () => {
  const app = fastify()
  const turns = takeTurns(app, { requests: 20, searches: 3 })
  const hooks: (() => void)[] = []
  app.addHook('onRequest', async (request) => {
    turns.noteOwner(request, 'a')
    if (request.headers['x-slow'] !== undefined) await new Promise<void>((resolve) => hooks.push(resolve))
  })
  app.post('/jobs', () => 'created')
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const { port } = app.server.address() as net.AddressInfo
  for (let n = 0; n < 40; n += 1) {
    const socket = net.connect(port, '127.0.0.1')
    const lines = ['POST /jobs HTTP/1.1', 'host: x', 'authorization: known', 'x-slow: 1', 'content-type: text/plain']
    socket.write([...lines, 'content-length: 9', '', '12'].join('\r\n'))
    await expect.poll(() => hooks.length).toBe(n + 1)
    socket.destroy()
    await expect.poll(() => new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)))).toBe(0)
    hooks[n]?.()
  }
  const headers = { authorization: 'known', 'content-type': 'text/plain' }
  const response = await fetch(`http://127.0.0.1:${port}/jobs`, { method: 'POST', headers, body: 'prompt' })
  expect(await response.text()).toBe('created')
})

test('streams and pages hold no turns, and an owner searches once at a time', async () => {
  const { ask, running, release } = await open()
  for (const name of ['s1', 's2', 's3']) ask(`/stream/${name}`, 'known-a')
  for (const name of ['p1', 'p2', 'p3']) ask(`/page/${name}`, 'known-a')
  for (const name of ['q1', 'q2']) ask(`/slow/${name}?q=x`, 'known-a')
  await expect.poll(() => running.length).toBe(7)
  ask('/slow/a1', 'known-a')
  await expect.poll(() => running.length).toBe(8)
  const [first = '', second = ''] = running.includes('q1') ? ['q1', 'q2'] : ['q2', 'q1']
  expect(running).not.toContain(second)
  release(first)
  await expect.poll(() => running).toContain(second)
})

test('refuses requests when a thousand of an owner wait', async () => {
  const app = fastify()
  takeTurns(app, { requests: 10, searches: 1 })
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  app.get('/slow', () => released)
  await app.ready()
  // A request is sent when its result is awaited.
  const ask = async () => await app.inject('/slow')
  const accepted = Array.from({ length: 1_002 }, ask)
  await new Promise(setImmediate)
  const refused = await ask()
  expect(refused.body).toContain('Too many requests at the same time. Try again later.')
  release()
  expect((await Promise.all(accepted)).filter(({ statusCode }) => statusCode !== 200)).toEqual([])
})
