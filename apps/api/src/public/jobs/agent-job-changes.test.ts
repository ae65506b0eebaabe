import { JobChanges } from '@corrigenda/contracts'
import { saveChanges } from '@corrigenda/core/internal/job-record/save-changes'
import { expect, test } from 'vitest'
import { endJob } from '../../test-support/end-job.ts'
import { expectError } from '../../test-support/expect-error.ts'
import { openTestApi } from '../../test-support/open-test-api.ts'

const PATCH = 'diff --git a/a.md b/a.md\n--- a/a.md\n+++ b/a.md\n@@ -1,1 +1,1 @@\n-ä\n+ö\n'
const text = { path: 'a.md', status: 'modified', additions: 1, deletions: 1, patch: PATCH, omitted: null } as const
const image = {
  path: 'b c.png',
  status: 'added',
  additions: 0,
  deletions: 0,
  patch: null,
  omitted: 'binary',
} as const
const large = { ...image, path: 'big.md', additions: 9, omitted: 'too_large' } as const

async function open() {
  const api = await openTestApi()
  const { id } = (await api.post({ prompt: 'x' })).json()
  const path = `/v2/agent/${api.project.id}/job/${id}/changes`
  return { ...api, id, path }
}

test('a job without changes returns empty changes', async () => {
  const api = await open()
  const response = await api.get(api.path)
  expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  expect(response.json()).toEqual({ baseCommit: null, headCommit: null, files: [], patch: '', truncated: false })
  const diff = await api.get(api.path, { accept: 'text/x-diff' })
  expect([diff.statusCode, diff.body]).toEqual([200, ''])
})

test('returns saved changes at both paths, even after the job has ended, and later changes replace them', async () => {
  const api = await open()
  const saved = { jobId: api.id, baseCommit: 'b'.repeat(40), headCommit: 'c'.repeat(40) }
  await saveChanges(api.database.prisma, { ...saved, files: [large] })
  expect(JobChanges.parse((await api.get(api.path)).json())).toMatchObject({ files: [large], truncated: true })
  await saveChanges(api.database.prisma, { ...saved, files: [text, image] })
  await endJob(api.database, api.id, { kind: 'failed', code: 'budget_turns', message: 'Too long.' })
  const response = await api.get(api.path)
  expect(response.json()).toEqual({
    baseCommit: saved.baseCommit,
    headCommit: saved.headCommit,
    files: [text, image],
    patch: `${PATCH}# Left out: "b c.png" added (binary)\n`,
    truncated: false,
  })
  expect((await api.get(api.path.replace('/v2/agent', '/api/agent/v2'))).body).toBe(response.body)
})

test('returns the plain patch if the client prefers it, otherwise JSON', async () => {
  const api = await open()
  await saveChanges(api.database.prisma, { jobId: api.id, baseCommit: 'b', headCommit: null, files: [text] })
  for (const accept of ['text/x-diff', 'text/x-diff, */*;q=0.1', 'application/json;q=0.5, text/x-diff']) {
    const response = await api.get(api.path, { accept })
    expect([response.statusCode, response.headers['content-type'], response.body], accept).toEqual([
      200,
      'text/x-diff; charset=utf-8',
      PATCH,
    ])
    expect(response.headers.vary).toBe('accept')
  }
  for (const accept of ['*/*', 'text/*', 'image/png', 'text/x-diff;q=0', 'text/x-diff;q=0.5, application/json']) {
    const response = await api.get(api.path, { accept })
    expect([response.statusCode, response.json().patch], accept).toEqual([200, PATCH])
  }
})

test("returns 404 for another project's changes, supports HEAD, and rejects other methods", async () => {
  const api = await open()
  const other = await api.makeProject()
  const { key } = await api.makeKey(other.id)
  const foreign = await api.get(`/v2/agent/${other.id}/job/${api.id}/changes`, { authorization: `Bearer ${key}` })
  const missing = await api.get(`/v2/agent/${api.project.id}/job/job_${'0'.repeat(26)}/changes`)
  expectError(foreign, 404, 'not_found')
  expect(foreign.body).toBe(missing.body)
  const authorization = `Bearer ${api.key}`
  const head = await api.app.inject({ method: 'HEAD', url: api.path, headers: { authorization } })
  expect([head.statusCode, head.body]).toEqual([200, ''])
  const posted = await api.app.inject({ method: 'POST', url: api.path, headers: { authorization } })
  expectError(posted, 405, 'method_not_allowed')
  expect(posted.headers.allow).toBe('GET, HEAD')
})
