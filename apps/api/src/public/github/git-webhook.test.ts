import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { endJob } from '../../test-support/end-job.ts'
import { expectError } from '../../test-support/expect-error.ts'
import { openTestApi } from '../../test-support/open-test-api.ts'

const SECRET = 'a-secret-of-the-git-host'
const KEY = Buffer.from('a-key-of-the-git-host').toString('base64')

type Headers = Readonly<Record<string, string>>

const hmac = (secret: string | Buffer, text: string) => createHmac('sha256', secret).update(text)
const sign = (secret: string | Buffer, body: string): Headers => ({
  'webhook-id': 'e1',
  'webhook-timestamp': '1',
  'webhook-signature': `v1,AAAA v1,${hmac(secret, `e1.1.${body}`).digest('base64')}`,
})

async function open(secret = SECRET) {
  const api = await openTestApi({ gitWebhookSecret: secret })
  const { id } = (await api.post({ prompt: 'x' })).json()
  const number = Math.floor(Math.random() * 1e9) + 1
  const commit = hmac('x', id).digest('hex').slice(0, 40)
  await api.database.prisma.job.update({ where: { id }, data: { headCommit: commit } })
  const url = `https://github.com/acme/docs/pull/${number}`
  const pullRequest = { number, url, branch: `corrigenda/${id}`, state: 'open', draft: false } as const
  await endJob(api.database, id, { kind: 'changed', pullRequest })
  const send = (event: object, headers: (body: string) => Headers, path = '/v1/git/webhook') => {
    const payload = JSON.stringify(event)
    const all = { 'content-type': 'application/json', ...headers(payload) }
    return api.app.inject({ method: 'POST', url: path, payload, headers: all })
  }
  return { api, id, number, commit, send }
}

const project = { web_url: 'https://github.com/acme/docs' }

test('events of GitLab schedule a poll of the merge request that they name', async () => {
  const { id, number, commit, send } = await open()
  for (const event of [
    { object_kind: 'merge_request', project, object_attributes: { iid: number, action: 'merge' } },
    { object_kind: 'note', project, object_attributes: { note: 'x' }, merge_request: { iid: number } },
    { object_kind: 'pipeline', project, object_attributes: { sha: commit, ref: 'x' }, merge_request: null },
    { object_kind: 'push', project, ref: `refs/heads/corrigenda/${id}` },
  ]) {
    const response = await send(event, () => ({ 'x-gitlab-token': SECRET }))
    expect([response.statusCode, response.json(), event.object_kind]).toEqual([202, { woken: 1 }, event.object_kind])
  }
  const other = { object_kind: 'merge_request', project, object_attributes: { iid: number + 1 } }
  expect((await send(other, () => ({ 'x-gitlab-token': SECRET }))).json()).toEqual({ woken: 0 })
})

test.each<[string, (body: string) => Headers]>([
  ['a signing token of GitLab', (body) => sign(SECRET, body)],
  ['Forgejo', (body) => ({ 'x-forgejo-signature': hmac(SECRET, body).digest('hex') })],
  ['Gitea', (body) => ({ 'x-gitea-signature': hmac(SECRET, body).digest('hex') })],
])('accepts the signature of %s, for these bytes and this secret only', async (_, headers) => {
  const { number, send } = await open()
  const event = { repository: { html_url: project.web_url }, pull_request: { number } }
  expect((await send(event, headers)).json()).toEqual({ woken: 1 })
  expectError(await send(event, (body) => headers(`${body} `)), 401, 'unauthorized')
  expectError(await send(event, () => ({})), 401, 'unauthorized')
  expectError(await send(event, () => ({ 'x-gitlab-token': `${SECRET}x` })), 401, 'unauthorized')
  expectError(await send(event, headers, '/v1/github/webhook'), 404, 'unknown_path')
})

test('a signing token is a key in base64', async () => {
  const { number, send } = await open(`whsec_${KEY}`)
  const event = { object_kind: 'merge_request', project, object_attributes: { iid: number } }
  const response = await send(event, (body) => sign(Buffer.from(KEY, 'base64'), body))
  expect(response.json()).toEqual({ woken: 1 })
})
