import git from 'isomorphic-git'
import { buildGitHttp, type GitHttpOptions } from './git-http.ts'
import { RepositoryError } from './repository-error.ts'

export interface BranchTip {
  /** Short name, without `refs/heads/`. */
  readonly branch: string
  readonly commit: string
}

/**
 * The newest commit of a branch, or of the default branch when none is named. Protocol v2 with a prefix where the host speaks it,
 * so that a host with 50,000 refs sends a handful; the full v1 advertisement elsewhere. Null when there is no such branch.
 * @throws {GitHttpError}
 */
export async function findBranchTip(options: GitHttpOptions, branch: string | null): Promise<BranchTip | null> {
  const http = buildGitHttp(options)
  if (branch !== null) {
    const name = `refs/heads/${branch}`
    const refs = await git.listServerRefs({ http, url: options.url, prefix: name })
    const commit = refs.find((ref) => ref.ref === name)?.oid
    return commit === undefined ? null : { branch, commit }
  }
  const refs = await git.listServerRefs({ http, url: options.url, prefix: 'HEAD', symrefs: true })
  const head = refs.find((ref) => ref.ref === 'HEAD')
  if (!head) return null
  if (!head.target?.startsWith('refs/heads/')) {
    throw new RepositoryError('branch_not_found', 'The repository has no default branch. Name the branch to work on.')
  }
  return { branch: head.target.slice('refs/heads/'.length), commit: head.oid }
}
