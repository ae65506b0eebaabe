import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { AccessResult, AccessTest, CallOptions, GitHostAdapter, GuardWrite, OpenGitHost } from '../git-host.ts'
import { GitHostError } from '../git-host-error.ts'
import type { GitHubSettings } from './build-api.ts'
import { buildCredentials } from './build-credentials.ts'
import { CHECK_RUNS, COMBINED_STATUS, findChecks } from './find-checks.ts'
import { type GitHubClient, openClient } from './open-client.ts'
import { buildPullRequests, PULLS } from './pull-requests.ts'
import { buildRemarks } from './remarks.ts'
import { buildCommits, buildRepository } from './repository.ts'
import { buildWorkflows } from './workflows.ts'

/** The answer of a host that validates a test write. No host accepts the write. */
const REFUSAL = { named: 'the rejection of a test request', schema: z.never() }
const UNPROCESSABLE = 422

/** Builds the adapter for GitHub. Does no I/O. */
export function buildGitHub(settings: GitHubSettings): GitHostAdapter {
  return { buildCredentials: (source) => buildCredentials(source, settings), openGitHost: buildOpenGitHub(settings) }
}

/** Opens clients for GitHub.com, GitHub Enterprise Cloud and GitHub Enterprise Server. */
export function buildOpenGitHub(settings: GitHubSettings): OpenGitHost {
  return async ({ credentials, guard, ...input }) => {
    const guarded = guard ? { fetch: buildGuardedFetch(settings.fetch ?? fetch, guard) } : {}
    const client = await openClient({ ...settings, ...guarded, credentials }, input)
    return {
      repository: client.repository,
      ...buildRepository(client),
      ...buildCommits(client),
      ...buildPullRequests(client),
      ...buildRemarks(client),
      findChecks: (asked) => findChecks(client, asked),
      testAccess: (asked) => testAccess(client, asked),
      workflows: buildWorkflows(client),
      [Symbol.dispose]: client.close,
    }
  }
}

/** Builds a `fetch` with a guard around each request other than GET. */
function buildGuardedFetch(send: typeof fetch, guard: GuardWrite): typeof fetch {
  return async (input, init) => {
    if ((init?.method ?? 'GET') === 'GET') return send(input, init)
    const opensPullRequest = new URL(String(input)).pathname.endsWith('/pulls')
    return guard({ opensPullRequest }, () => send(input, init))
  }
}

/**
 * Tests a permission. The host checks permissions before it validates the rest of the request, so a
 * write is tested with a branch that does not exist, which changes nothing.
 */
async function testAccess(client: GitHubClient, input: AccessTest & CallOptions): Promise<AccessResult> {
  try {
    await tryAccess(client, input)
    return 'granted'
  } catch (error) {
    if (!(error instanceof GitHostError)) throw error
    if (error.code === 'validation' && error.status === UNPROCESSABLE) return 'granted'
    if (error.code === 'forbidden' || error.code === 'unauthorized') return 'refused'
    if (error.code === 'not_found') return 'missing'
    throw error
  }
}

function tryAccess(client: GitHubClient, input: AccessTest & CallOptions): Promise<unknown> {
  const { signal } = input
  const { name } = client
  const absent = `corrigenda-connection-test-${randomBytes(16).toString('hex')}`
  switch (input.to) {
    case 'open_pull_requests': {
      const pull = { title: 'Connection test', head: absent, base: input.base, draft: true }
      return client.call({
        what: 'try to open a pull request',
        answer: REFUSAL,
        run: (octokit, request) => octokit.rest.pulls.create({ ...name, ...pull, request }),
        retries: 0,
        signal,
      })
    }
    case 'read_pull_requests':
      return client.call({
        what: 'read the pull requests',
        answer: PULLS,
        run: (octokit, request) => octokit.rest.pulls.list({ ...name, per_page: 1, request }),
        signal,
      })
    case 'read_statuses':
      return client.call({
        what: 'read the commit statuses',
        answer: COMBINED_STATUS,
        run: (octokit, request) => octokit.rest.repos.getCombinedStatusForRef({ ...name, ref: input.commit, request }),
        signal,
      })
    case 'read_checks':
      return client.call({
        what: 'read the checks',
        answer: CHECK_RUNS,
        run: (octokit, request) => octokit.rest.checks.listForRef({ ...name, ref: input.commit, request }),
        signal,
      })
    case 'start_workflow': {
      const dispatch = { workflow_id: input.workflow, ref: absent }
      return client.call({
        what: 'try to start the workflow',
        subject: `the workflow ${input.workflow}`,
        needs: 'actions (write)',
        answer: REFUSAL,
        run: (octokit, request) => octokit.rest.actions.createWorkflowDispatch({ ...name, ...dispatch, request }),
        retries: 0,
        signal,
      })
    }
  }
}
