import { spawn } from 'node:child_process'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { openTestApi } from '../test-support/open-test-api.ts'
import { closeConnections } from './close-connections.ts'

test('a server closes although a connection has not sent a request, and after the requests in progress', async () => {
  const app = fastify({ forceCloseConnections: 'idle', return503OnClosing: false })
  closeConnections(app)
  let respond = () => {}
  app.get('/', async () => {
    await new Promise<void>((resolve) => {
      respond = resolve
    })
    return 'done'
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const accepted = once(app.server, 'connection')
  const socket = net.connect(port, '127.0.0.1')
  socket.on('error', () => {})
  await accepted
  const begun = once(app.server, 'request')
  const response = fetch(`http://127.0.0.1:${port}/`)
  await begun
  const closed = app.close().then(() => 'closed')
  await once(socket, 'close')
  expect(await Promise.race([closed, sleep(50, 'open')])).toBe('open')
  respond()
  expect(await (await response).text()).toBe('done')
  // Node.js ends such connections after a minute.
  expect(await Promise.race([closed, sleep(20_000, 'open')])).toBe('closed')
})

test('the API closes although a connection has not sent a request', async () => {
  const { app } = await openTestApi({})
  await app.listen({ host: '127.0.0.1', port: 0 })
  const accepted = once(app.server, 'connection')
  const socket = net.connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  await accepted
  const ended = once(socket, 'close')
  const closed = app.close()
  expect(await Promise.race([ended.then(() => 'ended'), sleep(20_000, 'open')])).toBe('ended')
  await closed
})

test('connections that were opened just before the server closes get their responses', async () => {
  const app = fastify({ forceCloseConnections: 'idle', return503OnClosing: false })
  closeConnections(app)
  app.get('/', async () => 'done')
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  // Another process opens them while this one is busy, so that it has not accepted them.
  const script = `
    const sockets = Array.from({ length: 20 }, () => require('node:net').connect(${port}, '127.0.0.1'))
    Promise.all(sockets.map((socket) => new Promise((resolve, reject) => {
      let text = ''
      socket.on('error', reject).on('connect', () => process.stderr.write('.')).on('data', (data) => { text += data })
      socket.on('end', () => resolve(text.split('\\r\\n')[0] + ' ' + text.slice(-4)))
      setTimeout(() => socket.write('GET / HTTP/1.1\\r\\nhost: localhost\\r\\n\\r\\n'), 400)
    }))).then((lines) => process.stdout.write([...new Set(lines)].join()))`
  const client = spawn(process.execPath, ['-e', script])
  const output = text(client.stdout)
  await once(client.stderr, 'data')
  const end = Date.now() + 200
  while (Date.now() < end) {}
  await app.close()
  expect(await output).toBe('HTTP/1.1 200 OK done')
})
