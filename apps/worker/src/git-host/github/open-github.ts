import type { OpenGitHost } from '../git-host.ts'
import type { GitHubSettings } from './build-api.ts'
import { buildCommits } from './commits.ts'
import { findChecks } from './find-checks.ts'
import { buildGuardedFetch } from './guarded-fetch.ts'
import { openClient } from './open-client.ts'
import { buildPullRequests } from './pull-requests.ts'
import { buildRepository } from './repository.ts'
import { testAccess } from './test-access.ts'
import { buildWorkflows } from './workflows.ts'

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
      close: client.close,
    }
  }
}
