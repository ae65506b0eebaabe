import { execFile } from 'node:child_process'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { openTestApi } from '../test-support/open-test-api.ts'
import { type DrainLimits, drainUploads } from './drain-uploads.ts'

const MIB = 1_048_576
const LARGE = Buffer.alloc(20 * MIB, 'x')

/** Opens a server that refuses some requests before their bodies have arrived. */
async function openServer(limits: Partial<DrainLimits> = {}) {
  const app = fastify({ bodyLimit: MIB })
  drainUploads(app, { bytes: 64 * MIB, ms: 600_000, waitMs: 10, perAddress: 100, ...limits })
  app.addHook('onRequest', async (request, reply) => {
    if (request.url === '/refused') return reply.code(401).send({ message: 'No.' })
  })
  app.post('/refused', async () => 'accepted')
  app.post('/accepted', async (request) => request.body)
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const { port } = app.server.address() as AddressInfo
  /** Sends a chunked body that does not end. Returns what the client has received. */
  const upload = (step: (socket: net.Socket) => void) => {
    const state = { received: '', isEnded: false, isClosed: false }
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
  return { app, origin: `http://127.0.0.1:${port}`, port, upload }
}

type Sent = { url: string; headers?: Record<string, string>; agent?: http.Agent | false; isChunked?: boolean }

/**
 * Sends 20 MiB with Node's client, which fails if the connection breaks, and reads the response after
 * the body has been sent, as many clients do.
 */
function sendWithNode({ url, headers = {}, agent = false, isChunked = true }: Sent) {
  return new Promise<[status: number | undefined, text: string, isSent: boolean]>((resolve, reject) => {
    const length = isChunked ? {} : { 'content-length': String(LARGE.length) }
    const type = { 'content-type': 'application/json' }
    const request = http.request(url, { method: 'POST', agent, headers: { ...type, ...length, ...headers } })
    const sent = new Promise<boolean>((done) => {
      request.once('finish', () => done(true)).once('close', () => done(false))
    })
    request.on('error', reject)
    request.on('response', async (response) => {
      const isSent = await sent
      let text = ''
      for await (const chunk of response) text += chunk
      resolve([response.statusCode, text, isSent])
    })
    Readable.from(chunks(LARGE)).pipe(request)
  })
}

function* chunks(body: Buffer) {
  for (let at = 0; at < body.length; at += 65_536) yield body.subarray(at, at + 65_536)
}

const PATIENT = { waitMs: 600_000 }

test.each([{ isChunked: false }, { isChunked: true }])(
  "Node's client and fetch read the response to a body over the limit: %o",
  async ({ isChunked }) => {
    const { origin } = await openServer(PATIENT)
    const keepAlive = new http.Agent({ keepAlive: true })
    onTestFinished(() => keepAlive.destroy())
    for (const url of [`${origin}/accepted`, `${origin}/refused`, `${await openProxy(origin)}/accepted`]) {
      const status = url.endsWith('/refused') ? 401 : 413
      for (const agent of [false, keepAlive] as const) {
        const sent = { url, agent, isChunked }
        expect(await sendWithNode(sent), url).toEqual([status, expect.stringMatching(/^\{.*\}$/), true])
      }
      const body = isChunked ? Readable.toWeb(Readable.from(chunks(LARGE))) : LARGE
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)
      expect([response.status, await response.text()]).toEqual([status, expect.stringMatching(/^\{.*\}$/)])
    }
  },
)

/** Opens a reverse proxy that forwards bodies while they arrive. */
async function openProxy(origin: string): Promise<string> {
  const server = http.createServer((request, response) => {
    const { method, headers, url } = request
    const forwarded = http.request(`${origin}${url}`, { method, headers, agent: false })
    forwarded.on('error', () => response.destroy())
    forwarded.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers)
      answer.pipe(response)
    })
    request.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('the API lets clients read 413 and other responses that precede the end of a large body', async () => {
  const { app, project, key } = await openTestApi({ callerRateLimit: 1 })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/v2/agent/${project.id}/job`
  const authorization = `Bearer ${key}`
  expect(await sendWithNode({ url })).toEqual([401, expect.stringMatching(/^\{"error":/), true])
  const tooLarge = '{"error":"The body is too large. It can have up to 1 MiB."}'
  expect(await sendWithNode({ url, headers: { authorization } })).toEqual([413, tooLarge, true])
  expect(await sendWithNode({ url, headers: { authorization } })).toEqual([429, expect.any(String), true])
})

test('the connection stays open after a response that precedes a small body', async () => {
  const { port } = await openServer({ waitMs: 10 })
  const socket = net.connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', (data) => (text += data))
  const head = 'POST /refused HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 4\r\n\r\n'
  socket.write(head)
  await expect.poll(() => text).toMatch(/^HTTP\/1\.1 401 /)
  expect(text).toMatch(/\r\nconnection: keep-alive\r\n/i)
  text = ''
  socket.write(`null${head}null`)
  await expect.poll(() => text).toMatch(/^HTTP\/1\.1 401 /)
  socket.destroy()
})

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
  expect(await ask('/accepted', JSON.stringify('x'.repeat(2 * MIB)))).toEqual([413, false])
  expect(await ask('/refused', '[1]')).toEqual([401, false])
})

test('curl reads the response to a body over the limit', async () => {
  const { origin } = await openServer()
  const run = async (...args: string[]) => {
    const options = ['-sS', '-o', '/dev/null', '-w', '%{http_code}', '-H', 'content-type: application/json', ...args]
    const curl = execFile('curl', [...options, '--data-binary', '@-', `${origin}/accepted`])
    const result = new Promise<string>((resolve, reject) => {
      let text = ''
      curl.stdout?.on('data', (data) => (text += data))
      curl.once('error', reject).once('close', (code) => resolve(`${code} ${text}`))
    })
    curl.stdin?.on('error', () => {})
    curl.stdin?.end(LARGE)
    return result
  }
  expect(await run()).toBe('0 413')
  expect(await run('-H', 'Expect:')).toBe('0 413')
  expect(await run('-H', 'Transfer-Encoding: chunked', '-H', 'Expect:')).toBe('0 413')
})
