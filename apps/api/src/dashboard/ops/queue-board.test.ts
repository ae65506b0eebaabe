import { AppError } from '@corrigenda/core/base'
import { openQueue, type QueueBackend } from '@corrigenda/core/queue'
import { openLog } from '@corrigenda/core/runtime'
import { type Browser, openBrowser, openPage } from '@corrigenda/testkit'
import fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { handleError } from '../../http/errors.ts'
import { toBoardPage } from './build-board-app.ts'
import { queueBoardRoutes } from './queue-board-routes.ts'

const log = openLog({ level: 'silent', secrets: [] })
let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

describe.each(['redis', 'postgres'] as const)('on %s', (kind) => {
  const name = `board-${kind}-${process.pid}`
  const backend: QueueBackend = { kind, url: inject(kind === 'redis' ? 'redisUrl' : 'postgresUrl') }
  let allowed = true

  async function open() {
    const queue = openQueue({ backend, log, name })
    const app = fastify()
    app.setErrorHandler(handleError)
    await app.register(queueBoardRoutes, {
      board: queue,
      requireAdmin: async () => {
        if (!allowed) throw new AppError('not_found', 'Not found.')
      },
    })
    const url = await app.listen({ host: '127.0.0.1', port: 0 })
    const close = async () => {
      await app.close()
      await (await queue.current()).obliterate({ force: true })
      await queue.close()
    }
    return { queue, app, url, close }
  }

  // The page is the same for both.
  test.runIf(kind === 'redis')(
    'the board shows the queue and its entries, without external requests or policy violations',
    async () => {
      const { queue, url, close } = await open()
      await queue.wakeWorker()
      const watched = await openPage(browser, { origin: url })
      await watched.page.goto(`${url}/ops/queues/queue/${name}?status=waiting`, { waitUntil: 'networkidle' })
      await watched.page.getByText('wake-up').first().waitFor()
      await watched.page.goto(`${url}/ops/queues/`, { waitUntil: 'networkidle' })
      await watched.page.getByText(name).first().waitFor()
      watched.expectClean()
      await watched.close()
      await close()
    },
  )

  test('the board has no write endpoints, and returns 404 to non-admins', async () => {
    const { queue, app, close } = await open()
    await queue.wakeWorker()
    const at = (method: 'GET' | 'PUT' | 'POST', path: string) => app.inject({ method, url: `/ops/queues${path}` })
    expect((await at('GET', '/api/queues')).json().queues[0]).toMatchObject({ name, readOnlyMode: true })
    for (const path of ['pause', 'empty', 'obliterate', 'add', 'retry/failed', 'clean/wait']) {
      expect([path, (await at('PUT', `/api/queues/${name}/${path}`)).statusCode]).toEqual([path, 404])
      expect([path, (await at('POST', `/api/queues/${name}/${path}`)).statusCode]).toEqual([path, 404])
    }
    expect(await queue.countWakeUps()).toBe(1)
    allowed = false
    for (const path of ['', '/', '/api/queues', `/queue/${name}`, '/static/favicon.ico']) {
      const response = await at('GET', path)
      expect([path, response.statusCode, response.body]).toEqual([path, 404, '{"error":"Not found."}'])
    }
    allowed = true
    expect((await at('GET', '/static/favicon.ico')).statusCode).toBe(200)
    await close()
  })
})

test('external links and inline styles are removed from the template, and values are escaped', () => {
  const template =
    '<base href="<%= a %>"><link rel="x" href="https://fonts.example/f"><link href="static/m.css"><style>b{}</style><p style="c">d</p><%- e %>'
  expect(toBoardPage(template, { a: '"><script>', e: '{"f":1}' })).toBe(
    '<base href="&#34;&#62;&#60;script&#62;"><link href="static/m.css"><p>d</p>{"f":1}',
  )
})
