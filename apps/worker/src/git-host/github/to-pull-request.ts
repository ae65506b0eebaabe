import { z } from 'zod'
import type { PullRequest } from '../git-host.ts'
import { parseAnswer } from './parse-answer.ts'

const Repository = z.object({ full_name: z.string() })

const Pull = z.object({
  number: z.number().int().positive(),
  html_url: z.url(),
  state: z.enum(['open', 'closed']),
  merged_at: z.string().nullable(),
  draft: z.boolean().optional(),
  body: z.string().nullable(),
  base: z.object({ repo: Repository }),
  head: z.object({ ref: z.string(), sha: z.string(), repo: Repository.nullable() }),
  user: z.object({ login: z.string() }).nullish(),
  labels: z.array(z.object({ name: z.string().optional() })),
  requested_reviewers: z.array(z.unknown()).nullish(),
  requested_teams: z.array(z.unknown()).nullish(),
})

/**
 * Returns null unless the pull request is from this branch of this repository. A fork may use the
 * same branch name.
 * @throws GitHostError `server_error` when the response is not a pull request
 */
export function toPullRequest(branch: string, response: unknown): PullRequest | null {
  const { head, base, ...pull } = parseAnswer(Pull, response, 'a pull request')
  const isSameRepository = head.repo === null || head.repo.full_name.toLowerCase() === base.repo.full_name.toLowerCase()
  if (head.ref !== branch || !isSameRepository) return null
  return {
    number: pull.number,
    url: pull.html_url,
    state: pull.merged_at !== null ? 'merged' : pull.state,
    draft: pull.draft ?? false,
    headSha: head.sha,
    body: pull.body ?? '',
    author: pull.user?.login ?? null,
    hasLabels: pull.labels.length > 0,
    hasReviewers: (pull.requested_reviewers?.length ?? 0) + (pull.requested_teams?.length ?? 0) > 0,
  }
}
