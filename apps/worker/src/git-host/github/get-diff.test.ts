import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toRepositoryAddress } from '@corrigenda/contracts'
import { expect, onTestFinished, test } from 'vitest'
import { buildGitHub } from './build-github.ts'

const DIFF = 'diff --git a/index.md b/index.md\n'

test('requests the diff media type and returns the text', async () => {
  const requests: (string | undefined)[] = []
  const server = createServer((request, response) => {
    requests.push(request.url, request.headers.accept)
    response.writeHead(200, { 'content-type': 'application/vnd.github.diff; charset=utf-8' }).end(DIFF)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { buildCredentials, openGitHost } = buildGitHub({ apiUrl: null, version: '0.0.0' })
  const gitHost = await openGitHost({
    credentials: buildCredentials({ kind: 'token', token: 'secret' }),
    repository: toRepositoryAddress(`${origin}/acme/docs`),
    access: 'read',
    signal: new AbortController().signal,
  })
  expect(await gitHost.getDiff({ number: 7 })).toBe(DIFF)
  expect(requests).toEqual(['/api/v3/repos/acme/docs/pulls/7', expect.stringContaining('diff')])
})
