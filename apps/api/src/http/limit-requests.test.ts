import http from 'node:http'
import net from 'node:net'
import rateLimit from '@fastify/rate-limit'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { limitRequests } from './limit-requests.ts'

/** Opens a server whose handlers run until they are released. A key such as `known-a` is accepted. */
async function open(perMinute = { address: 1_000_000, caller: 1_000_000 }) {
  const app = fastify()
  await app.register(rateLimit, { global: false })
  const limits = limitRequests(app, perMinute)
  const running: string[] = []
  const releases = new Map<string, () => void>()
  app.addHook('onRequest', async (request) => {
    const { authorization = '' } = request.headers
    if (authorization.startsWith('known')) await limits.admit(request, { id: authorization, kind: 'key' })
  })
  const handle = ({ params }: { params: unknown }) => {
    const { name } = params as { name: string }
    running.push(name)
    return new Promise<string>((resolve) => releases.set(name, () => resolve(name)))
  }
  app.all('/slow/:name', handle)
  app.post('/:name/job', handle)
  app.get('/page/:name', { config: { database: 'none' } }, handle)
  app.get('/stream/:name', async (request, reply) => {
    running.push((request.params as { name: string }).name)
    limits.end(request)
    reply.hijack()
    return reply
  })
  app.get('/fast', () => 'ok')
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const agent = new http.Agent()
  onTestFinished(async () => {
    for (const release of releases.values()) release()
    agent.destroy()
    await app.close()
  })
  /** Starts a request and returns it with its status. */
  const ask = (path: string, key?: string, method = 'GET') => {
    const headers = key === undefined ? {} : { authorization: key }
    const request = http.request(`${url}${path}`, { agent, method, headers }).end()
    const status = new Promise<number | undefined>((resolve) => {
      request.on('response', (response) => resolve(response.resume().statusCode))
      request.on('error', () => resolve(undefined))
    })
    return { request, status }
  }
  const askMany = (count: number, path: (n: number) => string, key?: string, method?: string) =>
    Array.from({ length: count }, (_, n) => ask(path(n), key, method))
  const countConnections = () => new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)))
  return { app, url, ask, askMany, running, countConnections, release: (name: string) => releases.get(name)?.() }
}

test('a caller has at most 64 requests in progress, and others are served', async () => {
  const { url, ask, askMany, running, release } = await open()
  askMany(64, (n) => `/slow/a${n}`, 'known-a')
  await expect.poll(() => running.length).toBe(8)
  const refused = await fetch(`${url}/fast`, { headers: { authorization: 'known-a' } })
  expect(await refused.json()).toMatchObject({ message: 'Too many requests at the same time. Try again later.' })
  expect(await ask('/fast', 'known-b').status).toBe(200)
  expect(await ask('/fast').status).toBe(200)
  release('a0')
  await expect.poll(() => running.length).toBe(9)
  // One of the waiting requests works now, so there is room for another one.
  const waiting = ask('/fast', 'known-a').status
  const releaseAll = () => {
    for (const name of running) release(name)
    return running.length
  }
  await expect.poll(releaseAll).toBe(64)
  releaseAll()
  expect(await waiting).toBe(200)
})

test('requests without a known key count for their address', async () => {
  const { ask, askMany, running } = await open()
  askMany(64, (n) => `/slow/x${n}`, 'invented')
  await expect.poll(() => running.length).toBe(8)
  expect(await ask('/fast', 'invented-2').status).toBe(500)
  expect(await ask('/fast').status).toBe(500)
  expect(await ask('/fast', 'known-a').status).toBe(200)
})

test('streams and pages do not count', async () => {
  const { ask, askMany, running } = await open()
  askMany(70, (n) => `/stream/s${n}`, 'known-a')
  askMany(70, (n) => `/page/p${n}`)
  await expect.poll(() => running.length).toBe(140)
  expect(await ask('/fast', 'known-a').status).toBe(200)
  expect(await ask('/fast').status).toBe(200)
})

test('creations are counted separately and up to a thousand, and searches up to three', async () => {
  const { ask, askMany, running } = await open()
  askMany(150, (n) => `/c${n}/job`, 'known-a', 'POST')
  askMany(3, (n) => `/slow/q${n}?q=x`, 'known-a')
  await expect.poll(() => running.length).toBe(153)
  expect(await ask('/fast?q=x', 'known-a').status).toBe(500)
  expect(await ask('/fast?q=x', 'known-b').status).toBe(200)
  expect(await ask('/fast', 'known-a').status).toBe(200)
})

test('a request whose client disconnects counts until its handler has ended', async () => {
  const { ask, askMany, running, release, countConnections } = await open()
  const asked = askMany(64, (n) => `/slow/a${n}`, 'known-a')
  await expect.poll(() => running.length).toBe(8)
  for (const { request } of asked) request.destroy()
  await expect.poll(countConnections).toBe(0)
  expect(await ask('/fast', 'known-a').status).toBe(500)
  release('a0')
  await expect.poll(() => ask('/fast', 'known-a').status).toBe(200)
})

test('an upload counts until it is aborted', async () => {
  const { url, ask } = await open()
  const sockets = Array.from({ length: 64 }, (_, n) => {
    const socket = net.connect(Number(new URL(url).port), '127.0.0.1')
    socket.on('error', () => {})
    onTestFinished(() => void socket.destroy())
    const head = `POST /slow/upload-${n} HTTP/1.1\r\nhost: x\r\nauthorization: known-a\r\ncontent-type: application/json\r\n`
    socket.write(`${head}content-length: 10\r\n\r\n"12`)
    return socket
  })
  await expect.poll(() => ask('/fast', 'known-a').status).toBe(500)
  sockets[0]?.destroy()
  await expect.poll(() => ask('/fast', 'known-a').status).toBe(200)
})

test('clients that disconnect before their upload is read do not count', async () => {
  const app = fastify()
  await app.register(rateLimit, { global: false })
  const limits = limitRequests(app, { address: 1_000_000, caller: 1_000_000 })
  const hooks: (() => void)[] = []
  app.addHook('onRequest', async (request) => {
    if (request.headers['x-slow'] !== undefined) await new Promise<void>((resolve) => hooks.push(resolve))
    await limits.admit(request, { id: 'a', kind: 'key' })
  })
  app.post('/messages', () => 'sent')
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const { port } = app.server.address() as net.AddressInfo
  const sockets = Array.from({ length: 80 }, () => {
    const socket = net.connect(port, '127.0.0.1')
    const lines = ['POST /messages HTTP/1.1', 'host: x', 'x-slow: 1', 'content-type: text/plain']
    socket.write([...lines, 'content-length: 9', '', '12'].join('\r\n'))
    return socket
  })
  await expect.poll(() => hooks.length).toBe(80)
  for (const socket of sockets) socket.destroy()
  await expect.poll(() => new Promise((resolve) => app.server.getConnections((_, count) => resolve(count)))).toBe(0)
  for (const resume of hooks) resume()
  const headers = { 'content-type': 'text/plain' }
  const response = await fetch(`http://127.0.0.1:${port}/messages`, { method: 'POST', headers, body: 'prompt' })
  expect(await response.text()).toBe('sent')
})

test('refusals are delayed, up to a maximum number at the same time', async () => {
  const { app } = await open({ address: 1, caller: 1 })
  const send = async () => (await app.inject('/fast')).statusCode
  expect(await send()).toBe(200)
  const pending = Array.from({ length: 1_000 }, send)
  const ends: number[] = []
  for (const response of pending) void response.then((status) => ends.push(status))
  await new Promise(setImmediate)
  const further = await send()
  expect({ further, ends }).toEqual({ further: 500, ends: [] })
  expect(new Set(await Promise.all(pending))).toEqual(new Set([500]))
  const next = send()
  void next.then((status) => ends.push(status))
  await new Promise(setImmediate)
  expect(ends).toHaveLength(1_000)
  expect(await next).toBe(500)
})
