import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openTestApi } from '../../test-support/open-test-api.ts'
import { openJobListStreams } from './open-job-list-streams.ts'

test('a client that disconnects before its stream starts does not count toward the limits', async () => {
  const { deps } = await openTestApi()
  const streams = openJobListStreams(deps, { maxOwnStreams: 1 })
  const server = http.createServer((request, response) => {
    response.once('close', () => {
      streams.add({ response, projectId: 'prj_1', userId: 'usr_1', isAllowed: async () => true })
      server.close()
    })
    request.socket.destroy()
  })
  const closed = new Promise((resolve) => server.once('close', resolve))
  onTestFinished(() => {
    streams.end()
    server.close()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  http.get({ port: (server.address() as AddressInfo).port, agent: false }).on('error', () => {})
  await closed
  expect(streams.size).toBe(0)
  expect(() => streams.assertCapacity('usr_1')).not.toThrow()
})
