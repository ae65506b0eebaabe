import { countChanges } from '../diff/read-diff.ts'
import { findInGit } from '../git/run-git.ts'
import { type HostState, type Repository, toStableId } from '../host/host-state.ts'
import type { PullRequest } from '../host/types.ts'
import { toAccount, toGitHubTime, toNodeId, toOwner } from './to-account.ts'
import { toRepository } from './to-repository.ts'

/**
 * A repository as represented in the head and base of its pull requests. Computed only once per
 * list.
 */
export type ShownRepository = Awaited<ReturnType<typeof toRepository>>

/** Returns a pull request as it appears in lists (`pull-request-simple`). */
export function toPullRequestSummary(
  state: HostState,
  repository: Repository,
  shown: ShownRepository,
  pull: PullRequest,
) {
  const side = (full: string, ref: string, sha: string) => {
    const [name = '', path = ''] = full.split('/')
    const user = toAccount(state, toOwner(name))
    const repo = full === repository.full ? shown : { ...shown, full_name: full, name: path, owner: user, fork: true }
    return { label: `${name}:${ref}`, ref, sha, user, repo }
  }
  const id = toStableId(`${repository.record.id} pull ${pull.number}`)
  const links = toLinks(state, repository, pull)
  return {
    id,
    node_id: toNodeId('PR', id),
    number: pull.number,
    state: pull.state,
    locked: false,
    active_lock_reason: null,
    title: pull.title,
    body: pull.body,
    draft: pull.draft,
    user: toAccount(state, pull.author),
    labels: pull.labels.map((name) => toLabel(state, repository, name)),
    milestone: null,
    assignee: null,
    assignees: [],
    requested_reviewers: pull.reviewers.map((login) => toAccount(state, { login, type: 'User' })),
    requested_teams: [],
    author_association: 'COLLABORATOR',
    auto_merge: null,
    created_at: toGitHubTime(pull.createdAt),
    updated_at: toGitHubTime(pull.updatedAt),
    closed_at: pull.closedAt && toGitHubTime(pull.closedAt),
    merged_at: pull.mergedAt && toGitHubTime(pull.mergedAt),
    merge_commit_sha: pull.mergeSha,
    head: side(pull.fork ?? repository.full, pull.headRef, pull.headSha),
    base: side(repository.full, pull.baseRef, pull.baseSha),
    url: links.self,
    html_url: links.html,
    diff_url: `${links.html}.diff`,
    patch_url: `${links.html}.patch`,
    issue_url: links.issue,
    commits_url: links.commits,
    review_comments_url: links.review_comments,
    review_comment_url: links.review_comment,
    comments_url: links.comments,
    statuses_url: links.statuses,
    _links: Object.fromEntries(Object.entries(links).map(([name, href]) => [name, { href }])),
  }
}

/**
 * Returns a single pull request (`pull-request`), including the fields that are computed with git.
 */
export async function toPullRequest(state: HostState, repository: Repository, pull: PullRequest) {
  const { dir } = repository
  const range = `${pull.baseSha}..${pull.headSha}`
  const [shown, changes, commits, mergeable] = await Promise.all([
    toRepository(state, repository),
    countChanges(dir, pull.baseSha, pull.headSha),
    findInGit(dir, 'rev-list', '--count', range),
    pull.state === 'open' ? isMergeable(dir, pull) : null,
  ])
  return {
    ...toPullRequestSummary(state, repository, shown, pull),
    merged: pull.mergedAt !== null,
    mergeable,
    rebaseable: mergeable,
    mergeable_state: mergeable === null ? 'unknown' : mergeable ? 'clean' : 'dirty',
    merged_by: pull.mergedBy && toAccount(state, pull.mergedBy),
    comments: pull.comments.length,
    review_comments: 0,
    maintainer_can_modify: pull.maintainerCanModify,
    commits: Number(commits ?? 0),
    additions: changes.additions,
    deletions: changes.deletions,
    changed_files: changes.changedFiles,
  }
}

export function toLabel(state: HostState, repository: Repository, name: string) {
  const id = toStableId(`${repository.record.id} label ${name}`)
  return {
    id,
    node_id: toNodeId('LA', id),
    url: `${state.url}/api/v3/repos/${repository.full}/labels/${encodeURIComponent(name)}`,
    name,
    description: '',
    color: 'ededed',
    default: false,
  }
}

function toLinks(state: HostState, repository: Repository, pull: PullRequest) {
  const api = `${state.url}/api/v3/repos/${repository.full}`
  const self = `${api}/pulls/${pull.number}`
  const issue = `${api}/issues/${pull.number}`
  return {
    self,
    html: `${state.url}/${repository.full}/pull/${pull.number}`,
    issue,
    comments: `${issue}/comments`,
    review_comments: `${self}/comments`,
    review_comment: `${api}/pulls/comments{/number}`,
    commits: `${self}/commits`,
    statuses: `${api}/statuses/${pull.headSha}`,
  }
}

async function isMergeable(dir: string, pull: PullRequest): Promise<boolean> {
  const behind = await findInGit(dir, 'merge-base', '--is-ancestor', pull.baseSha, pull.headSha)
  if (behind !== null) return true
  return (await findInGit(dir, 'merge-tree', '--write-tree', pull.baseSha, pull.headSha)) !== null
}
