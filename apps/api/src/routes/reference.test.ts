import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openTestApi } from '../test-support/open-test-api.ts'

test('/reference loads nothing from elsewhere and runs nothing inline', async () => {
  const api = await openTestApi()
  const page = await api.get('/reference')
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  const links = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url as string)
  expect(links.length).toBeGreaterThan(6)
  for (const link of links) {
    expect(link).not.toMatch(/^([a-z]+:|\/)/i)
    const answer = await api.get(`/${link}`)
    expect([link, answer.statusCode]).toEqual([link, 200])
    expect(answer.headers['x-content-type-options']).toBe('nosniff')
  }
  // Every script has an address and no text of its own; no handlers and no styles in attributes.
  expect(page.body.match(/<script[^>]*>[^<]/g)).toBeNull()
  expect(page.body).not.toMatch(/\s(on\w+|style)=/)
  const policy = String(page.headers['content-security-policy'])
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
  expect(policy).not.toMatch(/https?:|\*|unsafe|blob:/)
  for (const file of ['start.js', 'page.css', 'color-scheme.js']) {
    expect((await api.get(`/reference/${file}`)).body).not.toMatch(/\/\/|url\(/)
  }
  const styles = (await api.get('/reference/swagger-ui.css')).body
  expect([...styles.matchAll(/url\((?!["']?(?:data:|#))([^)]*)/g)].map(([, url]) => url)).toEqual([])
  expect(styles).not.toContain('@import')
  expect((await api.get('/reference/start.js')).body).toContain('validatorUrl: null')
})

test('its files are cached and compressed, and only what is listed is served', async () => {
  const api = await openTestApi()
  const at = '/reference/swagger-ui-bundle.js'
  const plain = await api.get(at)
  const zipped = await api.get(at, { 'accept-encoding': 'gzip, br' })
  expect(zipped.headers['content-encoding']).toBe('gzip')
  expect(gunzipSync(zipped.rawPayload).equals(plain.rawPayload)).toBe(true)
  expect(zipped.rawPayload.length).toBeLessThan(plain.rawPayload.length / 2)
  const again = await api.get(at, { 'if-none-match': String(plain.headers.etag) })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  for (const path of ['/reference/../package.json', '/reference/%2e%2e/package.json', '/reference/index.html']) {
    expect((await api.get(path)).statusCode).toBe(404)
  }
})
