import { z } from 'zod'
import type { CallOptions } from '../call-options.ts'
import type { Commit, ListCommitsInput } from '../git-host.ts'
import type { GitHubClient } from './open-client.ts'
import { parseAnswer } from './parse-answer.ts'

const GitHubCommit = z.object({
  sha: z.string().regex(/^[0-9a-f]{40}$/),
  commit: z.object({ message: z.string() }),
  parents: z.array(z.object({ sha: z.string() })),
})

export async function listCommits(
  client: GitHubClient,
  { ref, since, until, limit, signal }: ListCommitsInput & CallOptions,
): Promise<Commit[]> {
  const response: unknown = await client.call(
    'list the commits',
    (octokit, request) =>
      octokit.rest.repos.listCommits({
        ...client.name,
        ...(ref === undefined ? {} : { sha: ref }),
        ...(since === undefined ? {} : { since: since.toISOString() }),
        ...(until === undefined ? {} : { until: until.toISOString() }),
        per_page: Math.min(limit, 100),
        request,
      }),
    { signal },
  )
  return parseAnswer(z.array(GitHubCommit), response, 'a list of commits').map(toCommit)
}

/** Returns the commits of a response; empty if it contains anything else. */
export const toCommits = (response: unknown): Commit[] => z.array(GitHubCommit).catch([]).parse(response).map(toCommit)

const toCommit = ({ sha, commit, parents }: z.infer<typeof GitHubCommit>): Commit => ({
  ...{ id: sha, message: commit.message, firstParent: parents[0]?.sha ?? null },
})
