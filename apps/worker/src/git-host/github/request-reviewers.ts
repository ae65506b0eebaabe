import type { CallOptions } from '../call-options.ts'
import type { GitHubClient } from './open-client.ts'

export async function requestReviewers(
  client: GitHubClient,
  { number, reviewers, signal }: { number: number; reviewers: readonly string[] } & CallOptions,
): Promise<void> {
  const users = reviewers.filter((one) => !one.includes('/'))
  const teams = reviewers.flatMap((one) => one.split('/')[1] ?? [])
  await client.call(
    'request reviews',
    (octokit, request) =>
      octokit.rest.pulls.requestReviewers({
        ...{ ...client.name, pull_number: number, request },
        ...(users.length > 0 ? { reviewers: users } : {}),
        ...(teams.length > 0 ? { team_reviewers: teams } : {}),
      }),
    { signal, retries: 0 },
  )
}
