import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net'
import { startConnectProxy, startTlsFront } from '@corrigenda/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { OutboundError } from './resolve-target.ts'
import { type OutboundRequest, sendRequest } from './send-request.ts'
import { SELF_SIGNED } from './test-support/self-signed.ts'

async function listen(server: Server): Promise<{ host: string; port: number }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { host: `127.0.0.1:${port}`, port }
}

async function serve(answer: RequestListener) {
  const asked: { url: string; headers: Record<string, unknown>; body: string }[] = []
  const server = createServer(async (request, response) => {
    const entry = { url: request.url ?? '', headers: request.headers, body: '' }
    asked.push(entry)
    for await (const chunk of request) entry.body += String(chunk)
    answer(request, response)
  })
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { asked, ...(await listen(server)) }
}

const send = (url: string, options: Partial<OutboundRequest> = {}) =>
  sendRequest({
    url,
    method: 'POST',
    headers: {},
    body: '',
    timeoutMs: 60_000,
    allowedHosts: [],
    projectId: 'prj_a',
    ...options,
  })

async function failure(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof OutboundError)) throw new Error('expected an OutboundError', { cause: error })
  return error.code
}

test('sends a request to an allowed host once and returns the response', async () => {
  const { host, asked } = await serve((_request, response) => {
    response.writeHead(418, { 'x-kind': 'tea' }).end('short and stout')
  })
  const answer = await send(`http://${host}/a?b=c`, {
    allowedHosts: [`prj_a=${host}`],
    headers: { 'x-mine': '1' },
    body: 'grüße',
  })
  expect(answer).toMatchObject({ status: 418, headers: { 'x-kind': 'tea' }, body: 'short and stout' })
  expect(asked).toMatchObject([
    { url: '/a?b=c', headers: { 'x-mine': '1', host, 'content-length': '7' }, body: 'grüße' },
  ])
})

test('returns the body of a private host only to a project for which the operator allowed it', async () => {
  const { host } = await serve((_request, response) => response.end('internal'))
  const read = async (...allowedHosts: string[]) => (await send(`http://${host}/`, { allowedHosts })).body
  expect(await read(host)).toBe('')
  expect(await read(host, `prj_b=${host}`)).toBe('')
  expect(await read(host, `prj_a=${host}`)).toBe('internal')
  await expect(read(`prj_b=${host}`)).rejects.toMatchObject({ code: 'bad_url' })
})

test('returns a redirect without following it', async () => {
  const inside = await serve((_request, response) => response.end('secret'))
  const { host } = await serve((_request, response) => {
    response.writeHead(307, { location: `http://${inside.host}/` }).end()
  })
  expect(await send(`http://${host}/`, { allowedHosts: [host] })).toMatchObject({ status: 307 })
  expect(inside.asked).toEqual([])
})

test.each([
  'https://127.0.0.1/',
  'https://0x7f.1/',
  'https://2130706433/',
  'https://0177.0.0.1/',
  'https://127.1/',
  'https://１２７.0.0.1/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:7f00:1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[2002:7f00:1::]/',
  'https://[fd00:ec2::254]/',
  'https://169.254.169.254/latest/meta-data/',
  'https://168.63.129.16/',
  'https://100.64.0.1/',
  'https://10.0.0.1/',
  'https://0.0.0.0/',
  'https://224.0.0.1/',
  'https://localhost/',
])('rejects the address %s', async (url) => {
  expect(await failure(send(url))).toBe('address_refused')
})

test.each([
  'not a url',
  'http://example.com/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'https://user@example.com/',
  'https://user:pass@example.com/',
])('rejects the URL %s', async (url) => {
  expect(await failure(send(url))).toBe('bad_url')
})

test('uses plain http only for allowed hosts', async () => {
  const { host, port, asked } = await serve((_request, response) => response.end())
  expect(await failure(send(`http://${host}/`))).toBe('bad_url')
  expect(await failure(send(`http://${host}/`, { allowedHosts: ['127.0.0.1', `127.0.0.1:${port + 1}`] }))).toBe(
    'bad_url',
  )
  expect(await failure(send(`https://${host}/`, { allowedHosts: [`127.0.0.2:${port}`] }))).toBe('address_refused')
  expect(asked).toEqual([])
})

test('rejects a host name if any of its addresses is not public', async () => {
  const { port, asked } = await serve((_request, response) => response.end())
  for (const found of [['127.0.0.1'], ['2606:4700::1', '127.0.0.1'], ['::ffff:127.0.0.1'], ['169.254.169.254']]) {
    expect(await failure(send(`https://hook.test:${port}/`, { lookUp: async () => found }))).toBe('address_refused')
  }
  expect(asked).toEqual([])
})

test('connects only to the checked address when the host name resolves differently later', async () => {
  const server = createSecureServer(SELF_SIGNED, (_request, response) => response.end())
  onTestFinished(() => void server.close())
  let reached = 0
  server.on('connection', () => {
    reached += 1
  })
  const { port } = await listen(server)
  let asked = 0
  // Resolves to a public address first, then to a local one. The public address is unassigned, so
  // the connection fails in either case.
  const lookUp = async () => {
    asked += 1
    return asked === 1 ? ['2606:ffff:ffff::1'] : ['127.0.0.1']
  }
  const code = await failure(send(`https://hook.test:${port}/`, { lookUp, timeoutMs: 300 }))
  expect(['connection', 'timeout']).toContain(code)
  expect({ asked, reached }).toEqual({ asked: 1, reached: 0 })
})

test('connects to the resolved address and sends the host name to the server', async () => {
  const { port, asked } = await serve((_request, response) => response.end())
  const host = `hook.test:${port}`
  await send(`http://${host}/`, { allowedHosts: [host], lookUp: async () => ['127.0.0.1'] })
  expect(asked).toMatchObject([{ headers: { host } }])
})

test('rejects an untrusted certificate', async () => {
  const server = createSecureServer(SELF_SIGNED, (_request, response) => response.end())
  onTestFinished(() => void server.close())
  const { host } = await listen(server)
  expect(await failure(send(`https://${host}/`, { allowedHosts: [host] }))).toBe('tls')
})

test('distinguishes TLS errors, closed or refused connections and unknown host names', async () => {
  const { host } = await serve((_request, response) => response.end())
  expect(await failure(send(`https://${host}/`, { allowedHosts: [host] }))).toBe('tls')
  const rude = await serve((request) => request.socket.destroy())
  expect(await failure(send(`http://${rude.host}/`, { allowedHosts: [rude.host] }))).toBe('connection')
  const gone = createServer()
  const dead = await listen(gone)
  await new Promise((resolve) => gone.close(resolve))
  expect(await failure(send(`http://${dead.host}/`, { allowedHosts: [dead.host] }))).toBe('connection')
  expect(await failure(send('https://hook.test/', { lookUp: async () => [] }))).toBe('name_not_found')
})

test('applies the deadline to lookup, headers and body, and stops earlier when aborted', async () => {
  const silent = await serve(() => {})
  const slow = await serve((_request, response) => {
    response.writeHead(200).write('a')
  })
  const timeoutMs = 50
  const never = () => new Promise<string[]>(() => {})
  expect(await failure(send('https://hook.test/', { timeoutMs, lookUp: never }))).toBe('timeout')
  expect(await failure(send(`http://${silent.host}/`, { timeoutMs, allowedHosts: [silent.host] }))).toBe('timeout')
  expect(await failure(send(`http://${slow.host}/`, { timeoutMs, allowedHosts: [slow.host] }))).toBe('timeout')
  const before = silent.asked.length
  const caller = new AbortController()
  const stopped = failure(send(`http://${silent.host}/`, { allowedHosts: [silent.host], signal: caller.signal }))
  await expect.poll(() => silent.asked.length).toBeGreaterThan(before)
  caller.abort()
  expect(await stopped).toBe('aborted')
  expect(await failure(send('https://hook.test/', { signal: caller.signal, lookUp: never }))).toBe('aborted')
})

test('returns a 101 Switching Protocols response without waiting for the deadline', async () => {
  const { host } = await listen(
    createTcpServer((socket) => {
      onTestFinished(() => void socket.destroy())
      socket
        .on('error', () => {})
        .once('data', () =>
          socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: tea\r\n\r\n'),
        )
    }),
  )
  expect(await send(`http://${host}/`, { allowedHosts: [host], timeoutMs: 20_000 })).toMatchObject({ status: 101 })
})

test('reads only the first 4 KiB of an endless response', async () => {
  const { host } = await serve((_request, response) => {
    const more = () => {
      while (response.write('x'.repeat(1000)));
      response.once('drain', more)
    }
    more()
  })
  const { status, body } = await send(`http://${host}/`, { allowedHosts: [`prj_a=${host}`] })
  expect([status, body.length]).toEqual([200, 4096])
})

test('opens a separate connection for every request', async () => {
  const { host, asked } = await serve((_request, response) => response.end())
  await send(`http://${host}/`, { allowedHosts: [host] })
  await send(`http://${host}/`, { allowedHosts: [host] })
  expect(asked.map(({ headers }) => headers.connection)).toEqual(['close', 'close'])
})

test('a proxy receives the checked address, and never a private one', async () => {
  const { asked, port } = await serve((_request, response) => response.end('public'))
  const front = await startTlsFront(port)
  const proxy = await startConnectProxy({
    targets: { '93.184.216.34:443': front.port, 'private.corrigenda.test:443': front.port, '10.0.0.1:443': front.port },
  })
  onTestFinished(async () => {
    await proxy.close()
    await front.close()
  })
  const proxies = { https: proxy.url, http: proxy.url, exclude: '' }
  const to = (name: string, found: string[], more: Partial<OutboundRequest> = {}) =>
    failure(send(`https://${name}.corrigenda.test/x`, { proxies, lookUp: async () => found, ...more }))
  // The test's certificate is not trusted, so the connection ends after the handshake.
  expect(await to('public', ['93.184.216.34'])).toBe('tls')
  expect(proxy.requests.splice(0)).toEqual([{ target: '93.184.216.34:443', status: 200 }])
  // A second lookup by the proxy could return another address, so it does not get the name.
  expect(await to('private', ['10.0.0.1'])).toBe('address_refused')
  expect(await to('private', ['93.184.216.34', '10.0.0.1'])).toBe('address_refused')
  expect(await failure(send('https://10.0.0.1/x', { proxies }))).toBe('address_refused')
  expect(proxy.requests).toEqual([])
  // The proxy resolves the name of a host that the operator allowed.
  expect(await to('private', [], { allowedHosts: ['private.corrigenda.test'] })).toBe('tls')
  expect(proxy.requests.splice(0)).toEqual([{ target: 'private.corrigenda.test:443', status: 200 }])
  // The other addresses are tried if the proxy cannot connect to the first one.
  expect(await to('public', ['2606:4700::1111', '8.8.8.8', '93.184.216.34'])).toBe('tls')
  expect(proxy.requests.map(({ target }) => target)).toEqual(['8.8.8.8:443', '93.184.216.34:443'])
  expect(asked).toEqual([])
})
