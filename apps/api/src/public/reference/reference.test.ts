import { gunzipSync } from 'node:zlib'
import { openBrowser } from '@corrigenda/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { openTestApi } from '../../test-support/open-test-api.ts'

test('/reference loads no external resources and runs no inline scripts', async () => {
  const api = await openTestApi()
  const page = await api.get('/reference')
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  const links = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url]) => url as string)
  expect(links.length).toBeGreaterThan(6)
  for (const link of links) {
    // Also from the page at /reference/.
    expect(link).toMatch(/^\/\w/)
    const response = await api.get(link)
    expect([link, response.statusCode]).toEqual([link, 200])
    expect(response.headers['x-content-type-options']).toBe('nosniff')
  }
  // Every script has a URL and no inline code. No element has an event handler or style attribute.
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

test("the page's files are cached and compressed, and other paths are not served", async () => {
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

test('without external network access, the page shows every operation, accepts a key and executes requests', async () => {
  const api = await openTestApi()
  const origin = await api.listen()
  const browser = await openBrowser()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  const elsewhere: string[] = []
  const problems: string[] = []
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) elsewhere.push(url)
  })
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(error.message))
  await page.goto(`${origin}/reference?project=${api.project.id}`)
  const { paths } = (await api.get('/openapi.json')).json()
  const count = Object.values(paths).flatMap((methods) => Object.keys(methods as object)).length
  await page
    .locator('.opblock')
    .nth(count - 1)
    .waitFor()
  expect(await page.locator('.opblock').count()).toBeGreaterThanOrEqual(count)

  await page.locator('.btn.authorize').click()
  await page.locator('.auth-container input').fill(api.key)
  await page.locator('.auth-container button.authorize').click()
  await page.locator('.btn-done').click()

  /** Executes an operation and returns the status and the body that the page shows. */
  const tryOut = async (operation: string, fill: (block: ReturnType<typeof page.locator>) => Promise<void>) => {
    const block = page.locator(`#operations-${operation}`)
    await block.locator('.opblock-summary-control').click()
    await block.locator('.try-out__btn').click()
    await fill(block)
    await block.locator('.execute').click()
    const shown = block.locator('.live-responses-table')
    const status = await shown.locator('.response-col_status').last().textContent()
    const body = await shown.locator('.response-col_description pre').first().textContent()
    return { status: Number.parseInt(status ?? '', 10), body: body ?? '' }
  }
  const me = await tryOut('Service-getMe', async () => {})
  expect([me.status, JSON.parse(me.body).projectId]).toEqual([200, api.project.id])
  const created = await tryOut('Jobs-createJob', async (block) => {
    // Filled in from the address of the page.
    expect(await block.locator('tr[data-param-name="projectId"] input').inputValue()).toBe(api.project.id)
    await block.locator('textarea').fill(JSON.stringify({ prompt: 'Tried out on the reference page.' }))
  })
  expect(created.status).toBe(201)
  const job = await api.get(`/v2/agent/${api.project.id}/job/${JSON.parse(created.body).id}`)
  expect([job.statusCode, job.json().status]).toEqual([200, 'active'])
  expect([elsewhere, problems]).toEqual([[], []])
  expect(await page.locator('.servers select').inputValue()).toBe(origin)
  const back = page.getByRole('link', { name: 'Back to the dashboard' })
  expect(await back.getAttribute('href')).toBe(`/projects/${api.project.id}/jobs`)
  // The theme that was chosen in the dashboard.
  const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor')
  expect(await background()).toBe('rgb(251, 250, 247)')
  await page.evaluate("localStorage.setItem('corrigenda-theme', 'dark')")
  await page.goto(`${origin}/reference`)
  await page.locator('.opblock').first().waitFor()
  expect([await background(), await back.getAttribute('href')]).toEqual(['rgb(16, 18, 21)', '/'])
})
