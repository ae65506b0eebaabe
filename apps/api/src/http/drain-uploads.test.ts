import { execFile } from 'node:child_process'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { openTestApi } from '../test-support/open-test-api.ts'
import { drainUploads } from './drain-uploads.ts'

const MIB = 1_048_576
const LARGE = Buffer.alloc(20 * MIB, 'x')

type Answer = { status: number | undefined; code: unknown; connection: unknown; sent: boolean }
type Target = { url: string; headers: Record<string, string>; body?: Buffer; agent?: http.Agent | false }

async function open(overrides: Parameters<typeof openTestApi>[0] = {}) {
  const api = await openTestApi(overrides)
  await api.app.listen({ host: '127.0.0.1', port: 0 })
  const origin = `http://127.0.0.1:${(api.app.server.address() as AddressInfo).port}`
  const path = `/v2/agent/${api.project.id}/job`
  const headers = { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' }
  return { ...api, origin, path, target: { url: `${origin}${path}`, headers } }
}

/** Sends with Node's client, which reads the response only while the connection is intact. */
function sendWithNode(
  { url, headers, body = LARGE, agent = false }: Target,
  { isChunked = false, afterBody = true } = {},
) {
  return new Promise<Answer>((resolve, reject) => {
    const length = isChunked ? {} : { 'content-length': String(body.length) }
    const request = http.request(url, { method: 'POST', agent, headers: { ...headers, ...length } })
    const sent = new Promise<boolean>((done) =>
      request.once('finish', () => done(true)).once('close', () => done(false)),
    )
    request.on('error', reject)
    request.on('response', async (response) => {
      // Many clients read the response only after they have sent the body.
      const isSent = afterBody && (await sent)
      let text = ''
      for await (const chunk of response) text += chunk
      const { statusCode: status, headers } = response
      if (status !== 201) expect(Object.keys(JSON.parse(text))).toEqual(['error'])
      resolve({ status, code: headers['x-error-code'], connection: headers.connection, sent: isSent })
    })
    Readable.from(chunks(body)).pipe(request)
  })
}

function* chunks(body: Buffer) {
  for (let at = 0; at < body.length; at += 65_536) yield body.subarray(at, at + 65_536)
}

test.each([{ isChunked: false }, { isChunked: true }])(
  "a body over the limit is refused with a response that Node's client and fetch can read: %o",
  async ({ isChunked }) => {
    const { target } = await open()
    const refused = { status: 413, code: 'body_too_large', connection: 'close', sent: true }
    for (const agent of [false, new http.Agent({ keepAlive: true })] as const) {
      expect(await sendWithNode({ ...target, agent }, { isChunked })).toEqual(refused)
    }
    const body = isChunked ? Readable.toWeb(Readable.from(chunks(LARGE))) : LARGE
    const init = { method: 'POST', headers: target.headers, body, duplex: 'half' } as RequestInit
    const response = await fetch(target.url, init)
    expect([response.status, response.headers.get('x-error-code')]).toEqual([413, 'body_too_large'])
    expect(await response.json()).toEqual({ error: 'The body is too large. It can have up to 1 MiB.' })
  },
)

test('other responses that precede the end of a large body can be read', async () => {
  const { target, origin, path, key } = await open({ callerRateLimit: 5 })
  const send = async (changes: Partial<Target>) => {
    const { status, sent } = await sendWithNode({ ...target, ...changes }, { isChunked: true })
    return { status, sent }
  }
  const { authorization, ...withoutKey } = target.headers
  expect(await send({ headers: withoutKey })).toEqual({ status: 401, sent: true })
  expect(await send({ headers: { ...target.headers, 'content-type': 'text/plain' } })).toEqual({
    status: 415,
    sent: true,
  })
  expect(await send({ url: `${origin}${path}/no/such/path` })).toMatchObject({ sent: true })
  const other = { authorization: `Bearer ${key.slice(0, -1)}`, 'content-type': 'application/json' }
  expect(await send({ headers: other })).toEqual({ status: 401, sent: true })
  for (let n = 0; n < 5; n += 1) await fetch(`${origin}/v1/me`, { headers: { authorization } })
  expect(await send({})).toEqual({ status: 429, sent: true })
})

test('the connection stays open after a response that precedes a small body', async () => {
  const { target } = await open()
  const { hostname, port } = new URL(target.url)
  const socket = net.connect(Number(port), hostname)
  let text = ''
  socket.on('data', (data) => (text += data))
  const head = 'POST /v2/agent/x/job HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\n'
  socket.write(head)
  await expect.poll(() => text).toMatch(/^HTTP\/1\.1 401 /)
  expect(text).toMatch(/\r\nconnection: keep-alive\r\n/i)
  text = ''
  socket.write(`null${head}null`)
  await expect.poll(() => text).toMatch(/^HTTP\/1\.1 401 /)
  socket.destroy()
})

/** A server that responds before the body, with small limits. */
async function openServer(limits: Partial<Parameters<typeof drainUploads>[1]>) {
  const app = fastify({ bodyLimit: 10 })
  drainUploads(app, { bytes: 64 * MIB, ms: 600_000, waitMs: 10, perAddress: 100, ...limits })
  app.addHook('onRequest', async (request, reply) => {
    if (request.url === '/refused') return reply.code(401).send({ error: 'No.' })
  })
  app.post('/refused', async () => 'accepted')
  app.post('/accepted', async (request) => request.body)
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const { port } = app.server.address() as AddressInfo
  /** Sends a chunked body without end. Returns what the client has received and sent. */
  const upload = (step: (socket: net.Socket) => void) => {
    const state = { received: '', sent: 0, isEnded: false, isClosed: false }
    const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    onTestFinished(() => void socket.destroy())
    socket.on('data', (data) => (state.received += data))
    socket.on('end', () => (state.isEnded = true))
    socket.on('error', () => {})
    socket.on('close', () => (state.isClosed = true))
    socket.write('POST /refused HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
    step(socket)
    return state
  }
  return { app, port, upload }
}

const CHUNK = `10000\r\n${'x'.repeat(65_536)}\r\n`

test('a client that never ends its body is disconnected at the limit of bytes', async () => {
  const { upload } = await openServer({ bytes: 4 * MIB })
  let sent = 0
  const state = upload((socket) => {
    const send = () => {
      if (socket.destroyed) return
      sent += 65_536
      if (socket.write(CHUNK)) setImmediate(send)
      else socket.once('drain', send)
    }
    send()
  })
  await expect.poll(() => state.isClosed).toBe(true)
  expect(state.received).toMatch(/^HTTP\/1\.1 401 /)
  expect(sent).toBeGreaterThan(4 * MIB)
})

test('a client that stops sending is disconnected at the limit of time, and one that ends its body at once', async () => {
  const slow = await openServer({ ms: 50 })
  const state = slow.upload((socket) => socket.write(CHUNK))
  await expect.poll(() => state.isEnded).toBe(true)
  await expect.poll(() => countConnections(slow.app.server)).toBe(0)
  const patient = await openServer({})
  const ended = patient.upload((socket) => setTimeout(() => socket.write(`${CHUNK}0\r\n\r\n`), 20))
  await expect.poll(() => ended.isEnded).toBe(true)
  await expect.poll(() => countConnections(patient.app.server)).toBe(0)
})

const countConnections = (server: http.Server) => promisify(server.getConnections.bind(server))()

test('a limited number of uploads per IP address is discarded', async () => {
  const { app, upload } = await openServer({ perAddress: 2 })
  const states = Array.from({ length: 5 }, () => upload((socket) => socket.write(CHUNK)))
  await expect.poll(() => states.every(({ received }) => received.startsWith('HTTP/1.1 401 '))).toBe(true)
  await expect.poll(() => countConnections(app.server)).toBe(2)
  await app.close()
  expect(await countConnections(app.server)).toBe(0)
})

test('a client with Expect: 100-continue is asked for its body only if the body will be read', async () => {
  const { port } = await openServer({})
  const ask = async (path: string, body: string) => {
    const headers = { expect: '100-continue', 'content-type': 'application/json', 'content-length': body.length }
    const request = http.request({ port, host: '127.0.0.1', method: 'POST', path, headers, agent: false })
    let isAsked = false
    request.on('continue', () => {
      isAsked = true
      request.end(body)
    })
    request.flushHeaders()
    const status = await new Promise((resolve, reject) => {
      request.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject)
    })
    request.destroy()
    return [status, isAsked]
  }
  expect(await ask('/accepted', '[1]')).toEqual([200, true])
  expect(await ask('/accepted', JSON.stringify('x'.repeat(100)))).toEqual([413, false])
  expect(await ask('/refused', '[1]')).toEqual([401, false])
})

test('curl reads the response to a body over the limit', async () => {
  const { target } = await open()
  const run = async (...args: string[]) => {
    const headers = Object.entries(target.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
    const curl = execFile('curl', ['-sS', '-w', '%{http_code}', ...headers, ...args, '--data-binary', '@-', target.url])
    const result = new Promise<string>((resolve, reject) => {
      let text = ''
      curl.stdout?.on('data', (data) => (text += data))
      curl.once('error', reject).once('close', (code) => resolve(`${code} ${text}`))
    })
    curl.stdin?.on('error', () => {})
    curl.stdin?.end(LARGE)
    return result
  }
  const expected = '0 {"error":"The body is too large. It can have up to 1 MiB."}413'
  expect(await run()).toBe(expected)
  expect(await run('-H', 'Expect:')).toBe(expected)
  expect(await run('-H', 'Transfer-Encoding: chunked', '-H', 'Expect:')).toBe(expected)
})
