import git from 'isomorphic-git'
import { RepositoryError } from '../objects/repository-error.ts'
import { buildGitHttp, type GitHttpOptions } from './git-http.ts'
import { GitHttpError } from './git-http-error.ts'

interface BranchTip {
  /** Short name, without `refs/heads/`. */
  readonly branch: string
  readonly commit: string
}

/**
 * Returns the newest commit of a branch, or of the default branch when `branch` is null. Uses
 * protocol v2 with a prefix if the host supports it, so that a host with 50,000 refs sends only a
 * few. Otherwise reads the full v1 advertisement. Returns null if the branch does not exist.
 * @throws {GitHttpError}
 * @throws {RepositoryError} `branch_not_found` if the default branch is missing or invalid
 */
export async function findBranchTip(options: GitHttpOptions, branch: string | null): Promise<BranchTip | null> {
  const http = buildGitHttp(options, null, branch === null ? 'HEAD' : `refs/heads/${branch}`)
  if (branch !== null) {
    const name = `refs/heads/${branch}`
    const refs = await git.listServerRefs({ http, url: options.url, prefix: name })
    const commit = refs.find((ref) => ref.ref === name)?.oid
    return commit === undefined ? null : { branch, commit: checkOid(commit) }
  }
  const refs = await git.listServerRefs({ http, url: options.url, prefix: 'HEAD', symrefs: true })
  const head = refs.find((ref) => ref.ref === 'HEAD')
  if (!head) return null
  if (!head.target?.startsWith('refs/heads/')) {
    throw new RepositoryError('branch_not_found', 'The repository has no default branch. Set a base branch.')
  }
  const name = head.target.slice('refs/heads/'.length)
  if (!isRefName(name)) throw new RepositoryError('branch_not_found', 'The default branch name is not valid.')
  return { branch: name, commit: checkOid(head.oid) }
}

/**
 * Returns true if a branch or a tag points to the commit. A host also serves commits without one,
 * such as those of forks.
 * @throws {GitHttpError} `too_large` if the repository has too many branches or tags to list
 */
export async function isTip(options: GitHttpOptions, commit: string): Promise<boolean> {
  for (const prefix of ['refs/heads/', 'refs/tags/']) {
    const http = buildGitHttp(options, null, prefix)
    const refs = await git.listServerRefs({ http, url: options.url, prefix, peelTags: true })
    if (refs.some(({ oid, peeled }) => oid === commit || peeled === commit)) return true
  }
  return false
}

function checkOid(oid: string): string {
  if (!/^[0-9a-f]{40}$/.test(oid)) throw new GitHttpError('protocol', 'The Git host sent an invalid commit ID.')
  return oid
}

/** Checks a ref name against the rules of git-check-ref-format(1). */
function isRefName(name: string): boolean {
  if (name === '' || name.length > 1_000 || !name.isWellFormed() || /[\p{Cc} ~^:?*[\\]/u.test(name)) return false
  if (name.includes('..') || name.includes('@{') || name.endsWith('.')) return false
  return name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'))
}
