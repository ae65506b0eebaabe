import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { GitHost } from '../git-host.ts'
import { buildWithAnswers, failOf, openWithAnswers } from './test-support/open-with-answers.ts'

const COMMIT = 'a'.repeat(40)

type Calls<T> = {
  readonly [Name in Exclude<keyof T, 'repository' | 'workflows' | symbol>]: (of: T) => Promise<unknown>
}

/** Every call of the client, so that a call without a row does not compile. */
const CALLS: Calls<GitHost> = {
  getRepository: (host) => host.getRepository(),
  readFolder: (host) => host.readFolder({ path: 'docs', ref: 'main' }),
  listFiles: (host) => host.listFiles({ commit: COMMIT }),
  getBranch: (host) => host.getBranch({ branch: 'main' }),
  listCommits: (host) => host.listCommits({ limit: 1 }),
  compareCommits: (host) => host.compareCommits({ base: 'main', head: 'topic' }),
  listPullRequests: (host) => host.listPullRequests({ branch: 'topic' }),
  findPullRequest: (host) => host.findPullRequest({ number: 1, branch: 'topic' }),
  getPullRequestRange: (host) => host.getPullRequestRange({ number: 1 }),
  hasCommit: (host) => host.hasCommit({ number: 1, commit: COMMIT }),
  createPullRequest: (host) =>
    host.createPullRequest({ branch: 'topic', base: 'main', title: 'x', body: '', draft: false }),
  updatePullRequest: (host) => host.updatePullRequest({ number: 1, body: 'x' }),
  addLabels: (host) => host.addLabels({ number: 1, labels: ['docs'] }),
  requestReviewers: (host) => host.requestReviewers({ number: 1, reviewers: ['ada'] }),
  listRemarks: (host) => host.listRemarks({ number: 1, since: null }),
  answerRemark: (host) => host.answerRemark({ number: 1, thread: null, previous: null, body: 'x' }),
  mayWrite: (host) => host.mayWrite({ login: 'ada' }),
  findChecks: (host) => host.findChecks({ commit: COMMIT }),
  getDiff: (host) => host.getDiff({ number: 1 }),
  testAccess: (host) => host.testAccess({ to: 'open_pull_requests', base: 'main' }),
}

const WORKFLOW_CALLS: Calls<GitHost['workflows']> = {
  findFile: (workflows) => workflows.findFile({ workflow: 'docs.yml', ref: 'main' }),
  start: (workflows) => workflows.start({ workflow: 'docs.yml', ref: 'main', inputs: {} }),
  sendEvent: (workflows) => workflows.sendEvent({ type: 'publish', payload: {} }),
  listRuns: (workflows) => workflows.listRuns({ startedBy: 'event' }),
  getRun: (workflows) => workflows.getRun({ id: 1 }),
}

const ACCESS_CALLS = {
  'testAccess to read pull requests': (host: GitHost) => host.testAccess({ to: 'read_pull_requests' }),
  'testAccess to read statuses': (host: GitHost) => host.testAccess({ to: 'read_statuses', commit: COMMIT }),
  'testAccess to read checks': (host: GitHost) => host.testAccess({ to: 'read_checks', commit: COMMIT }),
  'testAccess to start a workflow': (host: GitHost) => host.testAccess({ to: 'start_workflow', workflow: 'docs.yml' }),
}

const ROWS: readonly (readonly [string, (host: GitHost) => Promise<unknown>])[] = [
  ...Object.entries(CALLS),
  ...Object.entries(ACCESS_CALLS),
  ...Object.entries(WORKFLOW_CALLS).map(
    ([name, call]) => [`workflows.${name}`, ({ workflows }: GitHost) => call(workflows)] as const,
  ),
]

// One key, because creating one takes longer than a test.
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const APP = {
  kind: 'app',
  appId: 1,
  privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
} as const

const PAGE = '<!doctype html><title>Sign in</title>'
const html = (status = 200) => new Response(PAGE, { status, headers: { 'content-type': 'text/html' } })
const ANSWERS = [
  ['a page', () => html()],
  ['an empty object', () => Response.json({})],
  ['an empty body', () => new Response('')],
  ['a JSON text', () => Response.json('granted')],
  ['status 204', () => new Response(null, { status: 204 })],
] as const

/** GitHub answers these writes with 204. */
const WITHOUT_CONTENT = ['workflows.start', 'workflows.sendEvent']

describe.each(ANSWERS)('%s instead of the expected response', (what, answer) => {
  test.each(ROWS)('fails the call %s', async (name, call) => {
    const { gitHost } = await openWithAnswers(answer)
    if (what === 'status 204' && WITHOUT_CONTENT.includes(name)) return void (await call(gitHost))
    expect(await failOf(call(gitHost))).toMatchObject({
      code: 'server_error',
      isOutcomeUnknown: true,
      message: expect.stringMatching(/a response that is not .+ Check that GITHUB_API_URL/),
    })
  })

  test('fails the calls of credentials', async () => {
    const { adapter, repository } = buildWithAnswers(answer)
    const app = adapter.buildCredentials(APP)
    const token = adapter.buildCredentials({ kind: 'token', token: 'secret' })
    const input = { repository, signal: new AbortController().signal }
    const calls = [
      () => app.findPermissions(input),
      () => app.getToken({ ...input, access: 'read' }),
      () => app.findIdentity(input),
      () => token.findIdentity(input),
    ]
    for (const call of calls) expect(await failOf(call())).toMatchObject({ code: 'server_error' })
  })
})

test("an installation's token without a value or an expiry is not used", async () => {
  const installation = { id: 1, permissions: {} }
  for (const grant of [
    { token: '', expires_at: '2030-01-01T00:00:00Z' },
    { token: 'x' },
    { token: 'x', expires_at: 'soon' },
  ]) {
    let asked = 0
    const { adapter, repository } = buildWithAnswers(() => Response.json(asked++ === 0 ? installation : grant))
    const app = adapter.buildCredentials(APP)
    const input = { repository, access: 'read', signal: new AbortController().signal } as const
    expect(await failOf(app.getToken(input))).toMatchObject({ code: 'server_error' })
  }
})

test.each([403, 404, 422, 451, 400] as const)('a page with status %i is not a reason of the host', async (status) => {
  const { gitHost } = await openWithAnswers(() => html(status))
  const error = await failOf(gitHost.getRepository())
  expect(error.message).toContain('Check that GITHUB_API_URL')
  expect(error.message).not.toContain('doctype')
})

test('an error other than 422 in the format of GitHub does not count as access', async () => {
  for (const answer of [() => html(422), () => Response.json({ message: 'Not acceptable' }, { status: 406 })]) {
    const { gitHost } = await openWithAnswers(answer)
    await failOf(gitHost.testAccess({ to: 'open_pull_requests', base: 'main' }))
  }
  const { gitHost } = await openWithAnswers(() => Response.json({ message: 'Validation Failed' }, { status: 422 }))
  expect(await gitHost.testAccess({ to: 'open_pull_requests', base: 'main' })).toBe('granted')
})

const PULL = {
  number: 7,
  html_url: 'https://github.com/acme/docs/pull/7',
  state: 'closed',
  merged_at: '2026-01-01T00:00:00Z',
  updated_at: '2026-01-02T03:04:05Z',
  body: null,
  base: { repo: { full_name: 'acme/docs' } },
  head: { ref: 'topic', sha: COMMIT, repo: { full_name: 'Acme/Docs' } },
  user: null,
  labels: [],
  requested_teams: [{}],
}

describe('a pull request', () => {
  const find = async (pull: object, branch = 'topic') =>
    (await openWithAnswers(() => Response.json(pull))).gitHost.findPullRequest({ number: 7, branch })

  test("is mapped from GitHub's response", async () => {
    expect(await find(PULL)).toEqual({
      number: 7,
      url: PULL.html_url,
      state: 'merged',
      draft: false,
      headSha: COMMIT,
      updatedAt: new Date('2026-01-02T03:04:05Z'),
      body: '',
      author: null,
      hasLabels: false,
      hasReviewers: true,
    })
  })

  test('from a different branch or a fork is null', async () => {
    expect(await find(PULL, 'other')).toBeNull()
    expect(await find({ ...PULL, head: { ...PULL.head, repo: { full_name: 'mallory/docs' } } })).toBeNull()
    // The fork's repository or the branch was deleted. Only the branch name remains.
    expect(await find({ ...PULL, head: { ...PULL.head, repo: null } })).not.toBeNull()
  })

  test('with a number of 0 is not a pull request', async () => {
    expect(await failOf(find({ ...PULL, number: 0 }))).toMatchObject({ code: 'server_error' })
  })
})

test('the head of a pull request is from the repository, a fork, or a deleted fork', async () => {
  const repo = { full_name: 'acme/docs' }
  const find = async (headRepository: object | null) => {
    const head = { sha: COMMIT, repo: headRepository }
    const pull = { title: 'x', base: { ref: 'main', sha: COMMIT, repo }, head }
    const { gitHost } = await openWithAnswers(() => Response.json(pull))
    return (await gitHost.getPullRequestRange({ number: 7 })).fork
  }
  expect(await find({ full_name: 'Acme/Docs' })).toBeNull()
  expect(await find({ full_name: 'mallory/docs' })).toEqual({ path: 'mallory/docs' })
  expect(await find(null)).toEqual({ path: null })
  for (const odd of ['docs', 'a/b/c', 'a b/c']) {
    expect(await failOf(find({ full_name: odd }))).toMatchObject({ code: 'server_error' })
  }
})

test('reads a branch of a server that returns only the SHA of its commit', async () => {
  const { gitHost } = await openWithAnswers(() => Response.json({ commit: { sha: COMMIT } }))
  expect(await gitHost.getBranch({ branch: 'main' })).toEqual({
    commit: COMMIT,
    message: '',
    parents: [],
    author: null,
    committer: null,
  })
})

test.each(['application/vnd.github.diff; charset=utf-8', 'application/vnd.github.diff', 'text/plain'])(
  'requests the diff media type and returns the text of the type %s',
  async (type) => {
    const diff = 'diff --git a/index.md b/index.md\n+Größe\n'
    const { gitHost, requests } = await openWithAnswers(() => new Response(diff, { headers: { 'content-type': type } }))
    expect(await gitHost.getDiff({ number: 7 })).toBe(diff)
    expect(requests[0]?.url).toBe('https://git.acme.test/api/v3/repos/acme/docs/pulls/7')
    expect(requests[0]?.headers.get('accept')).toContain('diff')
  },
)
