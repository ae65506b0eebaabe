import { findInGit } from '../git/run-git.ts'
import type { HostState, Repository } from '../host/host-state.ts'
import { toNodeId } from './to-account.ts'

export interface CommitFacts {
  readonly sha: string
  readonly tree: string
  readonly parents: readonly string[]
  readonly authorName: string
  readonly authorEmail: string
  readonly authoredAt: string
  readonly committerName: string
  readonly committerEmail: string
  readonly committedAt: string
  readonly message: string
}

const FORMAT = ['%H', '%T', '%P', '%an', '%ae', '%aI', '%cn', '%ce', '%cI', '%B'].join('%x00')

/**
 * Returns the commits in a range or the newest commits on a branch, newest first. Returns null if
 * git cannot resolve the revision. A `limit` of null means no limit. `options` are passed to `git
 * log`.
 */
export async function findCommits(
  dir: string,
  limit: number | null,
  revision: string,
  options: readonly string[] = [],
): Promise<CommitFacts[] | null> {
  const args = [
    'log',
    '-z',
    `--max-count=${limit ?? -1}`,
    `--format=${FORMAT}%x00`,
    ...options,
    '--end-of-options',
    revision,
    '--',
  ]
  const text = await findInGit(dir, ...args)
  if (text === null) return null
  const fields = text.split('\0')
  const commits: CommitFacts[] = []
  // Each commit has ten fields, followed by the `-z` separator.
  for (let i = 0; i + 9 < fields.length; i += 11) commits.push(toFacts(fields.slice(i, i + 10)))
  return commits
}

function toFacts(fields: readonly string[]): CommitFacts {
  const [sha = '', tree = '', parents = '', authorName = '', authorEmail = '', authoredAt = ''] = fields
  const [committerName = '', committerEmail = '', committedAt = '', message = ''] = fields.slice(6)
  return {
    sha,
    tree,
    parents: parents.split(' ').filter(Boolean),
    authorName,
    authorEmail,
    authoredAt,
    committerName,
    committerEmail,
    committedAt,
    message: message.trimEnd(),
  }
}

/** Returns GitHub's `commit` object. */
export function toCommit(state: HostState, repository: Repository, facts: CommitFacts) {
  const api = `${state.url}/api/v3/repos/${repository.full}`
  const html = `${state.url}/${repository.full}/commit/${facts.sha}`
  return {
    sha: facts.sha,
    node_id: toNodeId('C', facts.sha),
    url: `${api}/commits/${facts.sha}`,
    html_url: html,
    comments_url: `${api}/commits/${facts.sha}/comments`,
    commit: {
      url: `${api}/git/commits/${facts.sha}`,
      author: { name: facts.authorName, email: facts.authorEmail, date: facts.authoredAt },
      committer: { name: facts.committerName, email: facts.committerEmail, date: facts.committedAt },
      message: facts.message,
      tree: { sha: facts.tree, url: `${api}/git/trees/${facts.tree}` },
      comment_count: 0,
      verification: { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null },
    },
    author: null,
    committer: null,
    parents: facts.parents.map((sha) => ({ sha, url: `${api}/commits/${sha}` })),
  }
}
