import { createServer, request } from 'node:http'
import https from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { type ConnectProxyOptions, startConnectProxy, startTlsFront, TEST_CERTIFICATE } from '@corrigenda/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { buildAgents } from './build-agents.ts'
import { openTunnel } from './open-tunnel.ts'
import { listProxySecrets, toProxies } from './proxies.ts'
import { routeFetch } from './route-fetch.ts'

const CREDENTIALS = 'user:a%20pass-word-1'

/** Starts a server behind TLS, and a proxy that connects `site.corrigenda.test` to it. */
async function open(options: Partial<ConnectProxyOptions> = {}) {
  const server = createServer((incoming, response) => response.end(`hello ${incoming.headers.host}`))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const front = await startTlsFront(port)
  const targets = {
    'site.corrigenda.test:443': front.port,
    'other.example.net:443': front.port,
    'plain.corrigenda.test:8080': port,
  }
  const proxy = await startConnectProxy({ targets, ...options })
  onTestFinished(async () => {
    await proxy.close()
    await front.close()
    server.close()
    server.closeAllConnections()
  })
  return { proxy, proxies: { https: proxy.url, http: proxy.url, exclude: '' }, port }
}

function get(url: string, agents: ReturnType<typeof buildAgents>): Promise<string> {
  const secure = url.startsWith('https:')
  return new Promise((resolve, reject) => {
    const send = secure ? https.request : request
    const sent = send(url, { agent: secure ? agents.https : agents.http, ca: TEST_CERTIFICATE.cert })
    sent.on('error', reject)
    sent.on('response', async (response) => {
      let text = ''
      for await (const chunk of response) text += chunk
      resolve(text)
    })
    sent.end()
  })
}

test('agents connect to https and http hosts through the proxy, and reuse connections', async () => {
  const { proxy, proxies, port } = await open()
  const agents = buildAgents(proxies, { keepAlive: true })
  onTestFinished(() => agents.https.destroy())
  expect(await get('https://site.corrigenda.test/', agents)).toBe('hello site.corrigenda.test')
  expect(await get('https://site.corrigenda.test/', agents)).toBe('hello site.corrigenda.test')
  expect(await get('http://plain.corrigenda.test:8080/', agents)).toBe('hello plain.corrigenda.test:8080')
  expect(await get(`http://127.0.0.1:${port}/`, agents)).toBe(`hello 127.0.0.1:${port}`)
  expect(proxy.requests).toEqual([
    { target: 'site.corrigenda.test:443', status: 200 },
    { target: 'plain.corrigenda.test:8080', status: 200 },
  ])
})

test('agents reject a certificate for another name', async () => {
  const { proxies } = await open()
  await expect(get('https://other.example.net/', buildAgents(proxies, {}))).rejects.toMatchObject({
    code: 'ERR_TLS_CERT_ALTNAME_INVALID',
  })
})

test('the credentials of the proxy are sent to the proxy only, and are in no error', async () => {
  const { proxy, proxies } = await open({ credentials: 'user:a pass-word-1' })
  const given = { ...proxies, https: proxy.url.replace('user:a pass-word-1', CREDENTIALS) }
  expect(await get('https://site.corrigenda.test/', buildAgents(given, {}))).toBe('hello site.corrigenda.test')
  const wrong = { ...given, https: given.https.replace('word-1', 'word-2') }
  const error = await get('https://site.corrigenda.test/', buildAgents(wrong, {})).catch((thrown) => thrown)
  expect(error).toMatchObject({ name: 'ProxyError', code: 'PROXY_407' })
  expect(error.message).toMatch(/^The proxy 127\.0\.0\.1:\d+ refused a connection to site\.corrigenda\.test:443/)
  expect(listProxySecrets(toProxies({ HTTPS_PROXY: given.https }))).toEqual([
    'a pass-word-1',
    Buffer.from('user:a pass-word-1').toString('base64'),
  ])
  const token = toProxies({ HTTPS_PROXY: 'http://token-1@proxy:3128', HTTP_PROXY: 'http://proxy:3128' })
  expect(listProxySecrets(token)).toEqual(['token-1', Buffer.from('token-1:').toString('base64')])
})

test('reports a proxy that refuses a host or cannot be reached', async () => {
  const { proxies } = await open()
  await expect(get('https://unknown.test/', buildAgents(proxies, {}))).rejects.toMatchObject({ code: 'PROXY_403' })
  const closed = { ...proxies, https: 'http://127.0.0.1:1' }
  await expect(get('https://unknown.test/', buildAgents(closed, {}))).rejects.toMatchObject({
    code: 'PROXY_UNREACHABLE',
    message: 'The proxy 127.0.0.1:1 cannot be reached (ECONNREFUSED).',
  })
})

test('a tunnel fails if the proxy or the host behind it does not answer', async () => {
  const sockets: Socket[] = []
  const silent = createTcpServer((socket) => sockets.push(socket.resume()))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  const { port } = silent.address() as AddressInfo
  const { proxies } = await open({ targets: { 'site.corrigenda.test:443': port } })
  onTestFinished(() => {
    silent.close()
    for (const socket of sockets) socket.destroy()
  })
  const host = 'site.corrigenda.test'
  const mute = `127.0.0.1:${port}`
  for (const url of [`http://${CREDENTIALS}@${mute}`, `https://${mute}`, proxies.https]) {
    const proxy = new URL(url)
    // Long enough for the proxy to connect to the silent host.
    const opened = openTunnel({ proxy, host, port: 443, tls: { host }, limitMs: 200 })
    await expect(opened).rejects.toThrow(`The proxy ${proxy.host} did not open a connection in time.`)
  }
  await expect.poll(() => sockets.every((socket) => socket.destroyed)).toBe(true)
})

test('the signal of a caller ends the wait for a proxy', async () => {
  const silent = createServer(() => {}).on('connect', () => {})
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void silent.close())
  const proxy = new URL(`http://127.0.0.1:${(silent.address() as AddressInfo).port}`)
  const target = { proxy, host: 'a.test', port: 443, tls: null }
  const later = new AbortController()
  const other = openTunnel({ ...target, signal: later.signal }).catch(({ name }) => `other ${name}`)
  const stopped = openTunnel({ ...target, signal: AbortSignal.timeout(50) }).catch(({ name }) => name)
  expect(await Promise.race([other, stopped])).toBe('TimeoutError')
  later.abort()
  expect(await other).toBe('other AbortError')
})

test('fetch connects through the proxy until direct connections are restored', async () => {
  const { proxy, proxies, port } = await open()
  const restore = await routeFetch(proxies)
  onTestFinished(restore)
  const answer = await fetch('http://plain.corrigenda.test:8080/', { method: 'POST', body: 'x'.repeat(100_000) })
  expect(answer).toBeInstanceOf(Response)
  expect(await answer.text()).toBe('hello plain.corrigenda.test:8080')
  expect(await (await fetch(`http://localhost:${port}/`)).text()).toBe(`hello localhost:${port}`)
  // The certificate is not trusted in this process, so the handshake through the proxy fails.
  const error = await fetch('https://site.corrigenda.test/').catch((thrown) => thrown)
  expect(error.cause).toMatchObject({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
  expect(proxy.requests.map(({ target }) => target)).toEqual(['plain.corrigenda.test:8080', 'site.corrigenda.test:443'])
  await restore()
  await expect(fetch('http://plain.corrigenda.test:8080/')).rejects.toThrow('fetch failed')
})
