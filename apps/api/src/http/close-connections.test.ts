import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { closeConnections } from './close-connections.ts'

test('a server closes although a connection has not sent a request, and after the requests in progress', async () => {
  const app = fastify({ forceCloseConnections: 'idle' })
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
  expect(await Promise.race([closed, pause(50, 'open')])).toBe('open')
  respond()
  expect(await (await response).text()).toBe('done')
  // Node.js ends such connections after a minute.
  expect(await Promise.race([closed, pause(20_000, 'open')])).toBe('closed')
})
