import { readChangedFiles } from '../diff/read-diff.ts'
import { findBranchTip } from '../git/note-ref-updates.ts'
import { readDefaultBranch } from '../git/push-commit.ts'
import { findInGit, runGitBytes } from '../git/run-git.ts'
import type { Repository } from '../host/host-state.ts'
import { HttpError, notFound } from '../host/http-error.ts'
import { findCommits, toCommit } from '../represent/to-commit.ts'
import { paginate } from './paginate.ts'
import { ok, type RepositoryContext, type RestRoutes } from './rest-route.ts'

/** GitHub's limit (https://docs.github.com/rest/commits/commits#compare-two-commits). */
const MAX_FILES = 300
const MAX_COMMITS = 250
/** GitHub's limit (https://docs.github.com/rest/git/trees#get-a-tree). */
const MAX_TREE_ENTRIES = 100_000

export const contentRoutes: RestRoutes = {
  'repos.compareCommitsWithBasehead': { access: 'repository', anyOf: ['contents:read'], handle: compare },
  'repos.listCommits': { access: 'repository', anyOf: ['contents:read'], handle: listCommits },
  'repos.getContent': { access: 'repository', anyOf: ['contents:read'], handle: getContent },
  'git.getTree': { access: 'repository', anyOf: ['contents:read'], handle: getTree },
}

async function compare({ state, repository, params }: RepositoryContext) {
  const { dir, full } = repository
  const [from = '', to = ''] = String(params.basehead).split('...')
  const [base, head] = [await findCommit(repository, from), await findCommit(repository, to)]
  const fork = base && head ? await findInGit(dir, 'merge-base', base, head) : null
  if (!base || !head || !fork) throw notFound()
  const count = async (range: string) => Number(await findInGit(dir, 'rev-list', '--count', range))
  const [ahead, behind] = [await count(`${base}..${head}`), await count(`${head}..${base}`)]
  const [baseFacts] = (await findCommits(dir, 1, base)) ?? []
  const [forkFacts] = (await findCommits(dir, 1, fork)) ?? []
  if (!baseFacts || !forkFacts) throw notFound()
  const commits = ((await findCommits(dir, null, `${base}..${head}`)) ?? []).toReversed()
  const files = await readChangedFiles(dir, base, head)
  const html = `${state.url}/${full}/compare/${params.basehead}`
  return ok({
    url: `${state.url}/api/v3/repos/${full}/compare/${params.basehead}`,
    html_url: html,
    permalink_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    base_commit: toCommit(state, repository, baseFacts),
    merge_base_commit: toCommit(state, repository, forkFacts),
    status: toComparison(ahead, behind),
    ahead_by: ahead,
    behind_by: behind,
    total_commits: ahead,
    commits: commits.slice(0, MAX_COMMITS).map((facts) => toCommit(state, repository, facts)),
    files: files.slice(0, MAX_FILES).map((file) => ({
      sha: file.sha,
      filename: file.path,
      status: file.status,
      additions: file.additions,
      deletions: file.deletions,
      changes: file.additions + file.deletions,
      blob_url: `${state.url}/${full}/blob/${head}/${encodeURI(file.path)}`,
      raw_url: `${state.url}/${full}/raw/${head}/${encodeURI(file.path)}`,
      contents_url: `${state.url}/api/v3/repos/${full}/contents/${encodeURI(file.path)}?ref=${head}`,
      ...(file.previousPath === null ? {} : { previous_filename: file.previousPath }),
      ...(file.patch === null ? {} : { patch: file.patch }),
    })),
  })
}

/** Lists the commits reachable from a branch, tag or commit, newest first. */
async function listCommits({ state, repository, query, url }: RepositoryContext) {
  if ((await findInGit(repository.dir, 'rev-parse', '--quiet', '--verify', 'HEAD')) === null) {
    throw new HttpError(409, 'Git Repository is empty.')
  }
  const start = await findCommit(repository, String(query.sha ?? (await readDefaultBranch(repository.dir))))
  if (!start) throw notFound()
  const between = (['since', 'until'] as const).flatMap((name) =>
    query[name] === undefined ? [] : [`--${name}=${query[name]}`],
  )
  const commits = (await findCommits(repository.dir, null, start, between)) ?? []
  return paginate(url, query, commits, (facts) => toCommit(state, repository, facts))
}

function toComparison(ahead: number, behind: number): string {
  if (ahead > 0 && behind > 0) return 'diverged'
  if (ahead > 0) return 'ahead'
  return behind > 0 ? 'behind' : 'identical'
}

/** Returns a file in the repository, or the entries of a folder. */
async function getContent(context: RepositoryContext) {
  const { state, repository, params, query } = context
  const { dir, full } = repository
  const path = String(params.path)
  const sha = await findCommit(repository, String(query.ref ?? (await readDefaultBranch(dir))))
  if (!sha) throw new HttpError(404, `No commit found for the ref ${query.ref}`)
  const blob = await findInGit(dir, 'rev-parse', '--quiet', '--verify', '--end-of-options', `${sha}:${path}`)
  const type = blob && (await findInGit(dir, 'cat-file', '-t', blob))
  if (type === 'tree') return ok(await listFolder(context, sha, path))
  if (!blob || type !== 'blob') throw notFound()
  const bytes = await runGitBytes({ dir, args: ['cat-file', 'blob', blob] })
  const links = toLinks(context, { sha, path, object: `blobs/${blob}` })
  return ok({
    type: 'file',
    encoding: 'base64',
    size: bytes.length,
    name: path.split('/').at(-1),
    path,
    // Like GitHub, sends lines of 60 characters.
    content: bytes.toString('base64').replace(/.{60}/g, '$&\n'),
    sha: blob,
    url: links.self,
    git_url: links.git,
    html_url: links.html,
    download_url: `${state.url}/${full}/raw/${sha}/${encodeURI(path)}`,
    _links: links,
  })
}

function toLinks(
  { state, repository: { full } }: RepositoryContext,
  { sha, path, object }: { sha: string; path: string; object: string },
) {
  const api = `${state.url}/api/v3/repos/${full}`
  return {
    self: `${api}/contents/${encodeURI(path)}?ref=${sha}`,
    git: `${api}/git/${object}`,
    html: `${state.url}/${full}/blob/${sha}/${encodeURI(path)}`,
  }
}

async function listFolder(context: RepositoryContext, sha: string, folder: string) {
  const { dir, full } = context.repository
  const bytes = await runGitBytes({ dir, args: ['ls-tree', '-z', '--long', `${sha}:${folder}`] })
  return bytes
    .toString()
    .split('\0')
    .filter(Boolean)
    .map((row) => {
      const { mode, kind, oid, size, name } = parseRow(row)
      const path = `${folder}/${name}`
      const links = toLinks(context, { sha, path, object: `${kind}s/${oid}` })
      return {
        type: kind === 'tree' ? 'dir' : mode === '120000' ? 'symlink' : kind === 'commit' ? 'submodule' : 'file',
        size,
        name,
        path,
        sha: oid,
        url: links.self,
        git_url: links.git,
        html_url: links.html,
        download_url: kind === 'blob' ? `${context.state.url}/${full}/raw/${sha}/${encodeURI(path)}` : null,
        _links: links,
      }
    })
}

/** Lists a tree, with its subtrees if `recursive` has any value. */
async function getTree({ state, repository, params, query }: RepositoryContext) {
  const { dir, full } = repository
  const at = `${String(params.tree_sha)}^{tree}`
  const tree = await findInGit(dir, 'rev-parse', '--quiet', '--verify', '--end-of-options', at)
  if (tree === null) throw notFound()
  const recursive = query.recursive === undefined ? [] : ['-r', '-t']
  const bytes = await runGitBytes({ dir, args: ['ls-tree', '-z', '--long', ...recursive, tree] })
  const rows = bytes.toString().split('\0').filter(Boolean)
  const api = `${state.url}/api/v3/repos/${full}/git`
  return ok({
    sha: tree,
    url: `${api}/trees/${tree}`,
    truncated: rows.length > MAX_TREE_ENTRIES,
    tree: rows.slice(0, MAX_TREE_ENTRIES).map((row) => {
      const { mode, kind, oid, size, name } = parseRow(row)
      const more = kind === 'commit' ? {} : { url: `${api}/${kind}s/${oid}` }
      return { path: name, mode, type: kind, sha: oid, ...(kind === 'blob' ? { size } : {}), ...more }
    }),
  })
}

/** Parses a row of `git ls-tree --long`. */
function parseRow(row: string) {
  const [, mode = '', kind = '', oid = '', size = '', name = ''] = /^(\d+) (\w+) (\w+) +(\S+)\t(.*)$/s.exec(row) ?? []
  return { mode, kind, oid, size: Number(size) || 0, name }
}

async function findCommit({ dir }: Repository, ref: string): Promise<string | null> {
  const tip = await findBranchTip(dir, ref)
  return tip ?? findInGit(dir, 'rev-parse', '--quiet', '--verify', '--end-of-options', `${ref}^{commit}`)
}
