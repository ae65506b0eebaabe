import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible } from './expect-accessible.ts'
import { expectNoSideScroll } from './expect-no-side-scroll.ts'
import { openBrowser } from './open-browser.ts'
import { openPage } from './open-page.ts'

let browser: Browser
let body = ''
const headers: Record<string, string> = {}
let otherRequests = 0
const other = createServer((_request, response) => {
  otherRequests += 1
  response.end()
})
const server = createServer((request, response) => {
  if (request.url === '/broken') return response.writeHead(500).end()
  if (request.url === '/refused') return response.writeHead(404).end()
  if (request.url === '/elsewhere') return response.writeHead(302, { location: `${origin(other)}/redirected` }).end()
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers }).end(body)
})
const origin = (of: typeof server) => `http://127.0.0.1:${(of.address() as AddressInfo).port}`
const start =
  '<!doctype html><html lang="en"><head><title>A page</title><link rel="icon" href="data:,"></head><body><main>'

beforeAll(async () => {
  for (const one of [server, other]) await new Promise<void>((done) => one.listen(0, '127.0.0.1', done))
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  for (const one of [server, other]) one.close()
})

async function inspect(html: string, policy?: string) {
  body = start + html
  headers['content-security-policy'] = policy ?? ''
  const watched = await openPage(browser, { origin: origin(server), width: 360 })
  await watched.page.goto(origin(server), { waitUntil: 'networkidle' })
  return watched
}

test('accepts a clean, accessible and narrow page, and ignores 4xx responses', async () => {
  const { page, expectClean, close } = await inspect('<h1>Hello</h1><script>fetch("/refused")</script>')
  expectClean()
  await expectAccessible(page)
  await expectNoSideScroll(page)
  await close()
})

test('blocks and reports requests to another origin, and also reports redirects', async () => {
  const watched = await inspect(
    `<img src="${origin(other)}/pixel.png" alt=""><script>fetch("https://fonts.example/a.woff2").catch(() => {})</script>`,
  )
  expect(watched.foreign).toEqual([`${origin(other)}/pixel.png`, 'https://fonts.example/a.woff2'])
  expect(watched.expectClean).toThrow(/request to another origin: https:\/\/fonts\.example/)
  expect(otherRequests).toBe(0)
  await watched.page.evaluate('fetch("/elsewhere").catch(() => {})')
  await expect.poll(() => watched.foreign).toContain(`${origin(other)}/redirected`)
  await watched.close()
})

test.each([
  ['an uncaught error', '<script>throw new Error("thrown here")</script>', undefined, /uncaught: Error: thrown here/],
  ['a console error', '<script>console.error("logged here")</script>', undefined, /console: logged here/],
  [
    'a content security policy violation',
    '<script>window.ran = true</script>',
    "script-src 'self'",
    /Content Security Policy/,
  ],
  ['a 500 response', '<script>fetch("/broken")</script>', undefined, /500 from .*\/broken/],
])('reports %s', async (_name, html, policy, message) => {
  const watched = await inspect(html, policy)
  expect(watched.expectClean).toThrow(message)
  await watched.close()
})

test('runs axe under a strict content security policy and detects sideways scrolling', async () => {
  const { page, close } = await inspect(
    '<img src="data:,"><p style="color:#999;background:#fff">pale</p><div style="width:900px">wide</div>',
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'",
  )
  await expect(expectAccessible(page)).rejects.toThrow(/serious color-contrast[\s\S]*critical image-alt/)
  await expect(expectNoSideScroll(page)).rejects.toThrow(/scrolls sideways:[\s\S]*div\. 908/)
  await close()
})
