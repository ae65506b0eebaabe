import type { CommitFacts } from '../git/read-history.ts'
import { readDefaultBranch } from '../git/refs.ts'
import { type HostState, type Repository, toStableId } from '../host/host-state.ts'
import type { Account, PullRequest } from '../host/types.ts'

// GitHub's objects, with the fields that the product and the tests read.

export function toAccount({ login, type }: Account) {
  return { login, id: toStableId(login), type }
}

export async function toRepository(state: HostState, { full, owner, name, dir, record }: Repository) {
  return {
    id: record.id,
    name,
    full_name: full,
    owner: toAccount({ login: owner, type: 'Organization' }),
    private: !record.isPublic,
    html_url: `${state.url}/${full}`,
    default_branch: await readDefaultBranch(dir),
    archived: record.archived,
    permissions: { admin: false, push: !record.readOnly, pull: true },
  }
}

export function toCommit({ sha, parents, author, committer, message }: CommitFacts) {
  return { sha, commit: { author, committer, message }, parents: parents.map((parent) => ({ sha: parent })) }
}

export function toPullRequest(state: HostState, { full }: Repository, pull: PullRequest) {
  const side = (path: string, ref: string, sha: string) => ({ ref, sha, repo: { full_name: path } })
  return {
    number: pull.number,
    html_url: `${state.url}/${full}/pull/${pull.number}`,
    state: pull.state,
    title: pull.title,
    body: pull.body,
    draft: pull.draft,
    user: toAccount(pull.author),
    labels: pull.labels.map((name) => ({ name })),
    requested_reviewers: pull.reviewers.map((login) => toAccount({ login, type: 'User' })),
    requested_teams: [],
    updated_at: toGitHubTime(toUpdated(pull)),
    merged_at: pull.mergedAt && toGitHubTime(pull.mergedAt),
    head: side(pull.fork ?? full, pull.headRef, pull.headSha),
    base: side(full, pull.baseRef, pull.baseSha),
  }
}

/** Returns the time of a pull request's last change. Comments and reviews count, as on GitHub. */
export function toUpdated({ createdAt, closedAt, comments, reviews, reviewComments }: PullRequest): string {
  const times = [...comments, ...reviewComments].map(({ updatedAt }) => updatedAt)
  return (
    [createdAt, closedAt ?? createdAt, ...times, ...reviews.map(({ submittedAt }) => submittedAt)].sort().at(-1) ?? ''
  )
}

/** Formats a time without milliseconds, as GitHub does. */
export function toGitHubTime(time: string | number): string {
  return new Date(time).toISOString().replace(/\.\d{3}Z$/, 'Z')
}
