import { type RepositoryAddress, toRepositoryAddress } from '@corrigenda/contracts'
import type { Claim } from '@corrigenda/core/runs'
import type { Log } from '@corrigenda/core/runtime'
import { deleteBranch } from '@corrigenda/git/commit'
import { type GitAccess, withToken } from '../git-host/git-access.ts'

/**
 * A branch created by this service. It is removed only if it points to exactly this commit, because
 * later commits are not from this service.
 */
interface OwnBranch {
  readonly branch: string
  /** 40 hex digits. */
  readonly commit: string
}

/**
 * Deletes a branch if it points to exactly this commit.
 * @returns true if the branch is gone; false if it points to a different commit
 * @throws Git host errors
 */
export function removeBranch(
  { credentials, gitHttp }: GitAccess,
  { branch, commit }: OwnBranch,
  { repository, signal }: { repository: RepositoryAddress; signal: AbortSignal },
): Promise<boolean> {
  return withToken(credentials, { repository, access: 'publish', signal }, (token) =>
    deleteBranch({ http: { ...gitHttp, url: `${repository.url}.git`, token, signal }, branch, expected: commit }),
  )
}

/**
 * Calls {@link removeBranch} for a branch of a job, but logs failures and returns false, because a
 * branch without a pull request does no harm.
 * @throws the signal's abort reason. A worker that has lost its lease must not report that the
 * branch still exists.
 */
export async function tryRemoveBranch(
  deps: GitAccess & { readonly log: Log },
  { runId, jobId, repositoryUrl }: Pick<Claim, 'runId' | 'jobId' | 'repositoryUrl'>,
  own: OwnBranch,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    return await removeBranch(deps, own, {
      repository: toRepositoryAddress(repositoryUrl, deps.allowedRepositoryHosts),
      signal,
    })
  } catch (error) {
    signal.throwIfAborted()
    const reason = error instanceof Error ? error.name : 'unknown'
    deps.log.warn({ runId, jobId, branch: own.branch, reason }, 'branch of a cancelled job not removed')
    return false
  }
}
