import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { expectError } from '../../test-support/expect-error.ts'
import { openTestApi } from '../../test-support/open-test-api.ts'

const PAGE = '<!doctype html><title>Corrigenda</title><div id="root"></div>'
const SCRIPT = `console.log(${JSON.stringify('x'.repeat(2000))})`

/** Opens the application with a small dashboard build. */
async function openPages() {
  const dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-pages-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  await mkdir(path.join(dir, 'assets'))
  await writeFile(path.join(dir, 'index.html'), PAGE)
  await writeFile(path.join(dir, 'assets/app-1a2b3c.js'), SCRIPT)
  await writeFile(path.join(dir, 'assets/app-1a2b3c.js.br'), brotliCompressSync(SCRIPT))
  await writeFile(path.join(dir, 'assets/app-1a2b3c.js.gz'), gzipSync(SCRIPT))
  await writeFile(path.join(dir, 'secret.txt'), 'not public')
  return openTestApi({ dashboardDir: dir })
}

test('every page serves the same document, with a policy that allows no external resources, and is not cached', async () => {
  const { app } = await openPages()
  // The dashboard's router, so that a page that the API does not serve fails this test.
  const router = await readFile(new URL('../../../../dashboard/src/router.tsx', import.meta.url), 'utf8')
  const paths = [...router.matchAll(/^ {2}path: '(.*)',$/gm)].map(([, name = '']) => name.replaceAll('$', ''))
  const project = paths.indexOf('/projects/projectId')
  const pages = [...paths.slice(0, project + 1), ...paths.slice(project + 1).map((name) => `/projects/p${name}`)]
  expect(pages).toContain('/projects/p/usage')
  for (const url of pages.map((name) => name.replace(/(?<=.)\/$/, ''))) {
    const response = await app.inject({ method: 'GET', url })
    expect([url, response.statusCode, response.body]).toEqual([url, 200, PAGE])
    expect(response.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    })
  }
})

test('unknown pages return the document with 404, and all other unknown paths return JSON', async () => {
  const { app } = await openPages()
  const lost = await app.inject({ method: 'GET', url: '/projects/p/nonsense' })
  expect([lost.statusCode, lost.body]).toEqual([404, PAGE])
  for (const url of [
    '/v1/x',
    '/v2/x',
    '/api/x',
    '/dashboard/api/x',
    '/openapi.jso',
    '/nonsense',
    '/assets/x.js',
    '/assets/',
  ]) {
    const response = await app.inject({ method: 'GET', url, headers: { accept: 'text/html' } })
    expectError(response, 404, 'unknown_path')
  }
  expectError(await app.inject({ method: 'POST', url: '/projects' }), 405, 'method_not_allowed')
})

describe('files', () => {
  const get = async (encoding: string, url = '/assets/app-1a2b3c.js') => {
    const { app } = await openPages()
    return app.inject({ method: 'GET', url, headers: { 'accept-encoding': encoding } })
  }

  test('are compressed according to Accept-Encoding, and cached for a year', async () => {
    const { app } = await openPages()
    const responses = await Promise.all(
      ['gzip, br', 'gzip', 'identity'].map((encoding) =>
        app.inject({ method: 'GET', url: '/assets/app-1a2b3c.js', headers: { 'accept-encoding': encoding } }),
      ),
    )
    expect(responses.map(({ headers }) => headers['content-encoding'])).toEqual(['br', 'gzip', undefined])
    const [br, gz, plain] = responses
    expect(brotliDecompressSync(br!.rawPayload).toString()).toBe(SCRIPT)
    expect(gunzipSync(gz!.rawPayload).toString()).toBe(SCRIPT)
    expect(plain!.body).toBe(SCRIPT)
    for (const { headers } of responses) {
      expect(headers).toMatchObject({
        'cache-control': 'public, max-age=31536000, immutable',
        'content-type': expect.stringMatching(/^(text|application)\/javascript; charset=utf-8$/),
        vary: 'accept-encoding',
      })
    }
  })

  test('are served from the assets folder only', async () => {
    for (const url of [
      '/assets/../secret.txt',
      '/assets/%2e%2e/secret.txt',
      '/assets/..%2fsecret.txt',
      '/secret.txt',
    ]) {
      const response = await get('identity', url)
      expect([url, response.statusCode]).toEqual([url, 404])
      expect(response.body).not.toContain('not public')
    }
  })
})
