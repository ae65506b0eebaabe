import { z } from 'zod'
import type { CallOptions } from '../call-options.ts'
import type { RepositoryFacts } from '../git-host.ts'
import type { GitHubClient } from './open-client.ts'
import { parseAnswer } from './parse-answer.ts'

const Repository = z.object({
  full_name: z.string(),
  default_branch: z.string(),
  archived: z.boolean().optional(),
  private: z.boolean().optional(),
  // Some versions of GitHub Enterprise Server omit the permissions.
  permissions: z.object({ push: z.boolean().optional() }).nullish(),
})

export async function getRepository(client: GitHubClient, { signal }: CallOptions = {}): Promise<RepositoryFacts> {
  const response: unknown = await client.call(
    'read the repository',
    (octokit, request) => octokit.rest.repos.get({ ...client.name, request }),
    { signal },
  )
  const found = parseAnswer(Repository, response, 'a repository')
  return {
    path: found.full_name,
    defaultBranch: found.default_branch,
    isArchived: found.archived ?? false,
    isPrivate: found.private ?? null,
    mayPush: found.permissions?.push ?? null,
  }
}
