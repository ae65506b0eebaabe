import { z } from 'zod'
import type { CallOptions } from '../call-options.ts'
import type { PullRequestRange } from '../git-host.ts'
import type { GitHubClient } from './open-client.ts'
import { parseAnswer } from './parse-answer.ts'

const Commit = z.string().regex(/^[0-9a-f]{40}$/)

const Pull = z.object({
  title: z.string(),
  base: z.object({ ref: z.string(), sha: Commit }),
  head: z.object({ sha: Commit }),
})

export async function getPullRequestRange(
  client: GitHubClient,
  { number, signal }: { number: number } & CallOptions,
): Promise<PullRequestRange> {
  const response: unknown = await client.call(
    'read the pull request',
    (octokit, request) => octokit.rest.pulls.get({ ...client.name, pull_number: number, request }),
    { signal },
  )
  const { title, base, head } = parseAnswer(Pull, response, 'a pull request')
  return { title, baseBranch: base.ref, baseCommit: base.sha, headCommit: head.sha }
}
