import type { GitHostAdapter, GuardWrite, OpenGitHost } from '../git-host.ts'
import type { GitHubSettings } from './build-api.ts'
import { buildCredentials } from './build-credentials.ts'
import { findChecks } from './find-checks.ts'
import { openClient } from './open-client.ts'
import { buildPullRequests } from './pull-requests.ts'
import { buildCommits, buildRepository } from './repository.ts'
import { testAccess } from './test-access.ts'
import { buildWorkflows } from './workflows.ts'

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
