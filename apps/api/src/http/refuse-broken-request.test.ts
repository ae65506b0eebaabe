import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { refuseBrokenRequest } from './refuse-requests.ts'

async function open(limits = { ms: 600_000, bytes: 67_108_864 }) {
  const server = http.createServer((_request, response) => void response.end())
  server.on('clientError', (error, socket) => refuseBrokenRequest(error, socket as net.Socket, limits))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  const state = { received: '', error: null as unknown, isClosed: false }
  socket.on('data', (data) => (state.received += data))
  socket.on('error', (error) => (state.error = error))
  socket.on('close', () => (state.isClosed = true))
  const write = (text: string) => new Promise<unknown>((resolve) => socket.write(text, resolve))
  return { socket, state, write }
}

test('a client that is still sending can read the response to headers that are too large', async () => {
  const { socket, state, write } = await open()
  await write('GET / HTTP/1.1\r\n')
  for (let n = 0; n < 100; n += 1) await write(`x-${n}: ${'x'.repeat(65_536)}\r\n`)
  await write('\r\n')
  expect(state.error).toBeNull()
  await expect.poll(() => state.received).toMatch(/^HTTP\/1\.1 431 .*X-Error-Code: headers_too_large\r\n.*\}$/s)
  socket.end()
  await expect.poll(() => state.isClosed).toBe(true)
  expect(state.error).toBeNull()
})

test('a client that sends invalid data without end is disconnected', async () => {
  const { socket, state } = await open({ ms: 600_000, bytes: 1_048_576 })
  const send = () => {
    if (socket.destroyed) return
    if (socket.write('x'.repeat(65_536))) setImmediate(send)
    else socket.once('drain', send)
  }
  send()
  await expect.poll(() => state.isClosed).toBe(true)
  expect(state.received).toMatch(/^HTTP\/1\.1 400 /)
})

test('a client that stays connected after an invalid request is disconnected', async () => {
  const { socket, state, write } = await open({ ms: 200, bytes: 67_108_864 })
  await write('x\r\n\r\n')
  await expect.poll(() => state.received).toMatch(/^HTTP\/1\.1 400 /)
  await expect.poll(() => socket.readableEnded).toBe(true)
  // The server has ended its side. It closes the connection although this side stays open.
  await expect.poll(() => write('x').then(() => state.isClosed)).toBe(true)
})
