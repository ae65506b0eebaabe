import { readDefaultBranch } from '../git/push-commit.ts'
import { findInGit } from '../git/run-git.ts'
import type { HostState, Repository } from '../host/host-state.ts'
import { toAccount, toGitHubTime, toNodeId, toOwner } from './to-account.ts'

/** Suffixes of the URLs that GitHub lists with every repository. */
const ADDRESSES = {
  archive: '/{archive_format}{/ref}',
  assignees: '/assignees{/user}',
  blobs: '/git/blobs{/sha}',
  branches: '/branches{/branch}',
  collaborators: '/collaborators{/collaborator}',
  comments: '/comments{/number}',
  commits: '/commits{/sha}',
  compare: '/compare/{base}...{head}',
  contents: '/contents/{+path}',
  contributors: '/contributors',
  deployments: '/deployments',
  downloads: '/downloads',
  events: '/events',
  forks: '/forks',
  git_commits: '/git/commits{/sha}',
  git_refs: '/git/refs{/sha}',
  git_tags: '/git/tags{/sha}',
  hooks: '/hooks',
  issue_comment: '/issues/comments{/number}',
  issue_events: '/issues/events{/number}',
  issues: '/issues{/number}',
  keys: '/keys{/key_id}',
  labels: '/labels{/name}',
  languages: '/languages',
  merges: '/merges',
  milestones: '/milestones{/number}',
  notifications: '/notifications{?since,all,participating}',
  pulls: '/pulls{/number}',
  releases: '/releases{/id}',
  stargazers: '/stargazers',
  statuses: '/statuses/{sha}',
  subscribers: '/subscribers',
  subscription: '/subscription',
  tags: '/tags',
  teams: '/teams',
  trees: '/git/trees{/sha}',
}

/**
 * Returns a repository with every field that GitHub requires in pull requests (`repository`).
 * toFullRepository extends it to `full-repository`.
 */
export async function toRepository(state: HostState, repository: Repository) {
  const { full, owner, name, dir, record } = repository
  const api = `${state.url}/api/v3/repos/${full}`
  const html = `${state.url}/${full}`
  const open = record.pulls.filter((pull) => pull.state === 'open').length
  return {
    id: record.id,
    node_id: toNodeId('R', record.id),
    name,
    full_name: full,
    private: record.isPublic !== true,
    visibility: record.isPublic === true ? 'public' : 'private',
    owner: toAccount(state, toOwner(owner)),
    html_url: html,
    description: null,
    fork: false,
    url: api,
    ...Object.fromEntries(Object.entries(ADDRESSES).map(([key, ending]) => [`${key}_url`, `${api}${ending}`])),
    git_url: `${html.replace(/^https?:/, 'git:')}.git`,
    ssh_url: `git@${new URL(state.url).hostname}:${full}.git`,
    clone_url: `${html}.git`,
    svn_url: html,
    mirror_url: null,
    homepage: null,
    language: 'MDX',
    license: null,
    topics: [],
    size: 1,
    default_branch: await readDefaultBranch(dir),
    created_at: toGitHubTime(record.createdAt),
    updated_at: toGitHubTime(record.createdAt),
    pushed_at: toGitHubTime(await findPushTime(state, repository)),
    forks: 0,
    forks_count: 0,
    stargazers_count: 0,
    watchers: 0,
    watchers_count: 0,
    open_issues: open,
    open_issues_count: open,
    has_issues: true,
    has_projects: false,
    has_wiki: false,
    has_pages: false,
    has_discussions: false,
    has_downloads: false,
    archived: record.archived,
    disabled: false,
    permissions: {
      admin: false,
      maintain: false,
      push: record.readOnly !== true,
      triage: record.readOnly !== true,
      pull: true,
    },
    allow_rebase_merge: false,
    allow_squash_merge: false,
    allow_merge_commit: true,
    allow_auto_merge: false,
    delete_branch_on_merge: false,
    web_commit_signoff_required: false,
  }
}

/** Returns `full-repository`, the response for a single repository. */
export async function toFullRepository(state: HostState, repository: Repository) {
  return { ...(await toRepository(state, repository)), subscribers_count: 0, network_count: 0 }
}

/** Returns the time of the last push since the host was started, or of the newest commit before it. */
async function findPushTime({ refUpdates }: HostState, { dir, full, record }: Repository): Promise<string> {
  const pushed = refUpdates.findLast((update) => update.repo === full)
  if (pushed !== undefined) return new Date(pushed.at).toISOString()
  const format = '--format=%(committerdate:iso-strict)'
  const committed = await findInGit(dir, 'for-each-ref', '--sort=-committerdate', '--count=1', format, 'refs/heads')
  return committed || record.createdAt
}
