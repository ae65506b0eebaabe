import type { CallOptions } from '../call-options.ts'
import type { Comparison } from '../git-host.ts'
import { toCommits } from './list-commits.ts'
import type { GitHubClient } from './open-client.ts'

/** https://docs.github.com/rest/commits/commits#compare-two-commits */
const MAX_FILES = 300
const COMMIT = /^[0-9a-f]{40,64}$/

export async function compareCommits(
  client: GitHubClient,
  { base, head, signal }: { base: string; head: string } & CallOptions,
): Promise<Comparison> {
  const {
    files = [],
    commits = [],
    total_commits: total = 0,
    merge_base_commit: mergeBase,
  } = await client.call(
    'compare two commits',
    (octokit, request) =>
      octokit.rest.repos.compareCommitsWithBasehead({ ...client.name, basehead: `${base}...${head}`, request }),
    { signal },
  )
  const renamed = files.filter((file) => file.status === 'renamed')
  const named = (...states: string[]) => files.filter(({ status }) => states.includes(status)).map((f) => f.filename)
  // The type requires a merge base, but a response that passed through a proxy may lack it.
  const sha: string | undefined = mergeBase?.sha
  return {
    mergeBase: COMMIT.test(sha ?? '') ? (sha ?? null) : null,
    added: named('added', 'copied', 'renamed'),
    modified: named('modified', 'changed'),
    hasMoreFiles: files.length >= MAX_FILES,
    commits: toCommits(commits),
    totalCommits: total,
    removed: [...named('removed'), ...renamed.flatMap((file) => file.previous_filename ?? [])],
  }
}
