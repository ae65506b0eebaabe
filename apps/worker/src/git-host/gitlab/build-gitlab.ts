import { GIT_HOSTS } from '@corrigenda/contracts'
import { z } from 'zod'
import type { GitHostAdapter, OpenGitHost } from '../git-host.ts'
import { openRestClient, type RestDialect, type RestSettings } from '../rest/open-rest-client.ts'
import { buildTokenCredentials } from '../rest/token-credentials.ts'
import { buildMergeRequests } from './merge-requests.ts'
import { openProject } from './open-project.ts'
import { buildPipelines } from './pipelines.ts'
import { buildRemarks } from './remarks.ts'
import { buildRepository } from './repository.ts'
import { testAccess } from './test-access.ts'

const { tokenNeeds } = GIT_HOSTS.gitlab

const DIALECT: RestDialect = {
  label: GIT_HOSTS.gitlab.label,
  apiPath: '/api/v4',
  toAuthorization: (token) => `Bearer ${token}`,
  toNeeds: (access) => (access.startsWith('read') ? tokenNeeds.read : tokenNeeds.publish),
  page: { name: 'per_page', size: 100, isFixed: true },
}

const User = z.object({ name: z.string(), email: z.string().nullish(), commit_email: z.string().nullish() })

/** Builds the adapter for GitLab.com and for self-managed GitLab. Does no I/O. */
export function buildGitLab(settings: RestSettings): GitHostAdapter {
  return {
    buildCredentials: (source) =>
      buildTokenCredentials(source, async (input) => {
        const client = await openRestClient(settings, DIALECT, input)
        const user = await client.call({ what: "read the token's user", path: '/user', schema: User })
        return { name: user.name, email: user.commit_email ?? user.email ?? '' }
      }),
    openGitHost: buildOpenGitLab(settings),
  }
}

function buildOpenGitLab(settings: RestSettings): OpenGitHost {
  return async (input) => {
    const client = await openRestClient(settings, DIALECT, input)
    const project = openProject(client)
    return {
      repository: client.repository,
      ...buildRepository(project),
      ...buildMergeRequests(project),
      ...buildRemarks(project),
      ...buildPipelines(project),
      testAccess: (asked) => testAccess(project, asked),
      [Symbol.dispose]: client.close,
    }
  }
}
