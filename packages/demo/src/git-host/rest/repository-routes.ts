import { findCommits, readChangedFiles } from '../git/read-history.ts'
import { findBranchTip, findCommitId, readDefaultBranch } from '../git/refs.ts'
import { findInGit, runGit, runGitBytes } from '../git/run-git.ts'
import { HttpError, notFound } from '../host/exchange.ts'
import { toCommit, toRepository } from './represent.ts'
import { ok, type RepositoryContext, type RestRoutes, takePage, withPermission } from './route.ts'

/** GitHub's limits (https://docs.github.com/rest/commits/commits#compare-two-commits). */
const MAX_FILES = 300
const MAX_COMMITS = 250
/** GitHub's limit (https://docs.github.com/rest/git/trees#get-a-tree). */
const MAX_TREE_ENTRIES = 100_000

export const repositoryRoutes = {
  'repos.get': withPermission(['metadata:read'], async ({ state, repository }) =>
    ok(await toRepository(state, repository)),
  ),
  'repos.getBranch': withPermission(['contents:read'], async ({ repository: { dir }, params }) => {
    const name = String(params.branch)
    const tip = await findBranchTip(dir, name)
    const [commit] = (tip && (await findCommits(dir, tip, '--max-count=1'))) || []
    if (!commit) throw new HttpError(404, 'Branch not found')
    return ok({ name, commit: toCommit(commit) })
  }),
  'repos.compareCommitsWithBasehead': withPermission(['contents:read'], compare),
  'repos.listCommits': withPermission(['contents:read'], listCommits),
  'repos.getContent': withPermission(['contents:read'], getContent),
  'git.getTree': withPermission(['contents:read'], getTree),
} satisfies RestRoutes

async function compare({ repository: { dir }, params }: RepositoryContext) {
  const [from = '', to = ''] = String(params.basehead).split('...')
  const [base, head] = [await findCommitId(dir, from), await findCommitId(dir, to)]
  const fork = base && head && (await findInGit(dir, 'merge-base', base, head))
  if (!base || !head || !fork) throw notFound()
  const [forkCommit] = (await findCommits(dir, fork, '--max-count=1')) ?? []
  const commits = ((await findCommits(dir, `${base}..${head}`)) ?? []).toReversed()
  const files = await readChangedFiles(dir, base, head)
  return ok({
    merge_base_commit: forkCommit && toCommit(forkCommit),
    total_commits: commits.length,
    commits: commits.slice(0, MAX_COMMITS).map(toCommit),
    files: files.slice(0, MAX_FILES).map(({ path, status, previousPath }) => ({
      filename: path,
      status,
      previous_filename: previousPath ?? undefined,
    })),
  })
}

/** Lists the commits reachable from a branch, tag or commit, newest first. */
async function listCommits({ repository: { dir }, query }: RepositoryContext) {
  if ((await findCommitId(dir, 'HEAD')) === null) throw new HttpError(409, 'Git Repository is empty.')
  const start = await findCommitId(dir, String(query.sha ?? (await readDefaultBranch(dir))))
  if (!start) throw notFound()
  const between = ['since', 'until'].flatMap((name) => (query[name] === undefined ? [] : [`--${name}=${query[name]}`]))
  const commits = (await findCommits(dir, start, ...between)) ?? []
  return ok(takePage(query, commits).map(toCommit))
}

/** Returns a file in the repository, or the entries of a folder. */
async function getContent({ repository: { dir }, params, query }: RepositoryContext) {
  const path = String(params.path)
  const commit = await findCommitId(dir, String(query.ref ?? (await readDefaultBranch(dir))))
  if (!commit) throw new HttpError(404, `No commit found for the ref ${query.ref}`)
  const object = await findInGit(dir, 'rev-parse', '--quiet', '--verify', '--end-of-options', `${commit}:${path}`)
  const type = object && (await runGit(dir, 'cat-file', '-t', object))
  if (object && type === 'tree') {
    const entries = await listTree(dir, object)
    return ok(entries.map(({ name, ...entry }) => ({ type: toContentType(entry), name, path: `${path}/${name}` })))
  }
  if (!object || type !== 'blob') throw notFound()
  const bytes = await runGitBytes({ dir, args: ['cat-file', 'blob', object] })
  // Like GitHub, sends lines of 60 characters.
  const content = bytes.toString('base64').replace(/.{60}/g, '$&\n')
  return ok({ type: 'file', encoding: 'base64', name: path.split('/').at(-1), path, content })
}

function toContentType({ mode, kind }: { mode: string; kind: string }): string {
  if (kind === 'tree') return 'dir'
  if (kind === 'commit') return 'submodule'
  return mode === '120000' ? 'symlink' : 'file'
}

/** Lists a tree, with its subtrees if `recursive` has any value. */
async function getTree({ repository: { dir }, params, query }: RepositoryContext) {
  const at = `${String(params.tree_sha)}^{tree}`
  const tree = await findInGit(dir, 'rev-parse', '--quiet', '--verify', '--end-of-options', at)
  if (tree === null) throw notFound()
  const entries = await listTree(dir, tree, ...(query.recursive === undefined ? [] : ['-r', '-t']))
  const shown = entries.slice(0, MAX_TREE_ENTRIES)
  return ok({
    sha: tree,
    truncated: entries.length > shown.length,
    tree: shown.map(({ mode, kind, id, name }) => ({ path: name, mode, type: kind, sha: id })),
  })
}

async function listTree(dir: string, tree: string, ...options: string[]) {
  const rows = (await runGit(dir, 'ls-tree', '-z', ...options, tree)).split('\0').filter(Boolean)
  return rows.map((row) => {
    const [, mode = '', kind = '', id = '', name = ''] = /^(\d+) (\w+) (\w+)\t(.*)$/s.exec(row) ?? []
    return { mode, kind, id, name }
  })
}
