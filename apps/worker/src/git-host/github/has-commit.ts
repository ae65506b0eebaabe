import { z } from 'zod'
import type { CallOptions } from '../call-options.ts'
import type { GitHubClient } from './open-client.ts'
import { parseAnswer } from './parse-answer.ts'

const Commits = z.array(z.object({ sha: z.string() }))
const PER_PAGE = 100
/** GitHub lists the first 250 commits. */
const PAGES = [1, 2, 3]

export async function hasCommit(
  client: GitHubClient,
  { number, commit, signal }: { number: number; commit: string } & CallOptions,
): Promise<boolean> {
  for (const page of PAGES) {
    const response: unknown = await client.call(
      'read the commits of the pull request',
      (octokit, request) =>
        octokit.rest.pulls.listCommits({ ...client.name, pull_number: number, per_page: PER_PAGE, page, request }),
      { signal },
    )
    const commits = parseAnswer(Commits, response, 'a pull request')
    if (commits.some(({ sha }) => sha === commit)) return true
    if (commits.length < PER_PAGE) return false
  }
  return false
}
