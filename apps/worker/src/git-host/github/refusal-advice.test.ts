import { expect, test } from 'vitest'
import type { GitHost } from '../git-host.ts'
import { failOf, openWithAnswers } from './test-support/open-with-answers.ts'

const branch = (host: GitHost) => host.getBranch({ branch: 'release' })
const compare = (host: GitHost) => host.compareCommits({ base: 'main', head: 'topic' })
const repository = (host: GitHost) => host.getRepository()
const start = ({ workflows }: GitHost) => workflows.start({ workflow: 'docs.yml', ref: 'main', inputs: {} })
const run = ({ workflows }: GitHost) => workflows.getRun({ id: 9 })
const label = (host: GitHost) => host.addLabels({ number: 7, labels: ['docs'] })

test.each([
  [404, 'Not Found', repository, /the repository does not exist or the credential has no access/],
  [404, 'Branch not found', branch, /the branch does not exist\..*reports: Branch not found$/],
  [404, 'Not Found', branch, /the repository or the branch release does not exist/],
  [404, 'No common ancestor between a and b.', compare, /no common history.*reports: No common ancestor between/],
  [404, 'Not Found', start, /the workflow docs\.yml does not exist/],
  [404, 'Not Found', run, /the workflow run 9 does not exist/],
  [404, 'Not Found', label, /pull request 7, or one of the labels, does not exist/],
  [410, 'Issues are disabled for this repo', label, /reports: Issues are disabled/],
  [403, 'the `acme` organization has an IP allow list enabled', repository, /Add the address.*allow list enabled/],
  [403, 'Repository access blocked', repository, /blocked the repository.*access blocked/],
  [451, 'Repository access blocked', repository, /blocked the repository.*access blocked/],
  [451, 'Unavailable', repository, /legal reasons.*Unavailable/],
  [403, 'Maximum number of login attempts exceeded. Please try again later.', repository, /locked the account/],
  [403, '`acme` forbids access via a personal access token (classic).', repository, /this kind of credential/],
  [403, 'Resource protected by organization SAML enforcement.', repository, /single sign-on.*token settings/],
  [403, 'Resource not accessible by personal access token', start, /Grant it actions \(write\)\..*not accessible/],
  [403, 'Resource not accessible by integration', run, /Grant it actions \(read\)/],
  [403, 'Resource not accessible by integration', branch, /Grant it contents and pull requests \(write\)/],
] as const)('explains %i %s', async (status, message, call, expected) => {
  const { gitHost, requests } = await openWithAnswers(() => Response.json({ message }, { status }))
  const error = await failOf(call(gitHost))
  expect(error.message).toMatch(expected)
  expect(requests).toHaveLength(1)
})

test('names the page that authorizes a token for single sign-on', async () => {
  const url = 'https://git.acme.test/orgs/acme/sso?authorization_request=A1'
  const headers = { 'x-github-sso': `required; url=${url}` }
  const { gitHost } = await openWithAnswers(() =>
    Response.json({ message: 'Resource protected by organization SAML enforcement.' }, { status: 403, headers }),
  )
  const { message } = await failOf(gitHost.getRepository())
  expect(message).toContain(`Open ${url} and authorize the token`)
  expect(message).not.toContain('lacks permission')
})

test('shortens and redacts the reason and keeps it on one line', async () => {
  const secret = ['ghp', 'a1B2'.repeat(9)].join('_')
  const text = `Sorry\n${secret} ${'-'.repeat(50_000)}`
  for (const status of [403, 404, 409]) {
    const { gitHost } = await openWithAnswers(() => Response.json({ message: text }, { status }))
    const { message } = await failOf(gitHost.getRepository())
    expect(message).toContain('Sorry [redacted] ---')
    expect(message.length).toBeLessThan(600)
  }
})

test.each([400, 401, 402, 403, 404, 405, 406, 409, 410, 411, 412, 413, 414, 415, 416, 421, 422, 423, 431, 451])(
  'a request with the final status %i is sent once',
  async (status) => {
    const { gitHost, requests } = await openWithAnswers(() => Response.json({ message: 'No' }, { status }))
    await failOf(gitHost.getRepository())
    expect(requests).toHaveLength(1)
  },
)

test.each([
  [408, 'timeout'],
  [500, 'server_error'],
])('a read with status %i is retried', async (status, code) => {
  const { gitHost, requests } = await openWithAnswers(() => Response.json({ message: 'No' }, { status }))
  expect(await failOf(gitHost.getRepository())).toMatchObject({ code, isOutcomeUnknown: true })
  expect(requests).toHaveLength(4)
})
