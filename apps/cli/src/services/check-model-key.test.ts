import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { routeFetch } from '@corrigenda/egress'
import { findFreePort, startConnectProxy } from '@corrigenda/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { checkModelKey } from './serve.ts'

const KEY = 'sk-ant-key-of-the-test'

async function serve(answer: RequestListener) {
  const requests: (string | undefined)[] = []
  const server = createServer((request, response) => {
    requests.push(request.headers.authorization)
    answer(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { requests, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const check = (url: string) => checkModelKey({ ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: url })

test.each([200, 404, 529])('a response with status %i does not reject the key', async (status) => {
  const { url, requests } = await serve((_request, response) => void response.writeHead(status).end())
  await check(`${url}/`)
  expect(requests).toEqual([`Bearer ${KEY}`])
})

test.each([401, 403])('a response with status %i rejects the key', async (status) => {
  const { url } = await serve((_request, response) => void response.writeHead(status).end())
  await expect(check(url)).rejects.toMatchObject({
    code: 'invalid_request',
    message: `The model API rejected the key (status ${status}). Check the key.`,
  })
})

test('an error of the connection names its cause and the settings to check', async () => {
  const closed = `127.0.0.1:${await findFreePort()}`
  const remedy =
    'Check ANTHROPIC_BASE_URL, HTTPS_PROXY, and the network, and restart the service after changing a setting.'
  await expect(check(`http://${closed}`)).rejects.toMatchObject({
    code: 'invalid_request',
    message: `The model API at ${closed} cannot be reached (ECONNREFUSED). ${remedy}`,
  })
  const proxy = await startConnectProxy({ targets: {} })
  const restore = await routeFetch({ https: proxy.url, http: null, exclude: '' })
  onTestFinished(async () => {
    await restore()
    await proxy.close()
  })
  await expect(check('https://model.corrigenda.test')).rejects.toThrow(
    'The model API at model.corrigenda.test cannot be reached (PROXY_403).',
  )
})

test('a redirect is an error and is not followed', async () => {
  const other = await serve((_request, response) => void response.end())
  const { url } = await serve((_request, response) => void response.writeHead(307, { location: other.url }).end())
  await expect(check(url)).rejects.toThrow('cannot be reached (unexpected redirect)')
  expect(other.requests).toEqual([])
})
