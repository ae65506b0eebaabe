import { toRepositoryAddress } from '@corrigenda/contracts'
import type { Database } from '@corrigenda/core/db'
import { type Claim, findFrozen } from '@corrigenda/core/runs'
import type { Log } from '@corrigenda/core/runtime'
import { deleteBranch } from '@corrigenda/git/commit'
import type { HttpPolicy } from '@corrigenda/git/mirror'
import type { Credentials } from '../git-host/credentials.ts'
import { withToken } from '../git-host/with-token.ts'

export interface RemoveBranchDeps extends Pick<Database, 'prisma'> {
  readonly log: Log
  readonly credentials: Credentials
  readonly gitHttp: HttpPolicy
}

/**
 * A branch created by this service. It is removed only if it points to exactly this commit, because
 * later commits are not from this service.
 */
export interface OwnBranch {
  readonly branch: string
  /** 40 hex digits. */
  readonly commit: string
}

/**
 * Removes a cancelled run's branch if it exists on the Git host and contains only the run's commit.
 * Best effort, because a branch without a pull request does no harm.
 * @returns true if the branch is gone
 */
export async function removeRunBranch(deps: RemoveBranchDeps, claim: Claim, signal: AbortSignal): Promise<boolean> {
  const frozen = await findFrozen(deps, claim.runId)
  if (!frozen) return true
  const { branch, commit, expected } = frozen.publish
  // A follow-up's branch contains earlier runs' work and is the head of their pull request.
  if (expected !== null) return false
  return tryRemoveBranch(deps, claim, { branch, commit }, signal)
}

/**
 * Calls {@link removeBranch}, but logs failures and returns false.
 * @throws the signal's abort reason. A worker that has lost its lease must not report that the
 * branch still exists.
 */
export async function tryRemoveBranch(
  deps: RemoveBranchDeps,
  claim: Claim,
  { branch, commit }: OwnBranch,
  signal: AbortSignal,
): Promise<boolean> {
  const { runId, jobId, repositoryUrl } = claim
  try {
    return await removeBranch(deps, { repositoryUrl, branch, commit, signal })
  } catch (error) {
    signal.throwIfAborted()
    const reason = error instanceof Error ? error.name : 'unknown'
    deps.log.warn({ runId, jobId, branch, reason }, 'branch of a cancelled job not removed')
    return false
  }
}

/**
 * Deletes a branch if it points to exactly this commit.
 * @returns true if the branch is gone; false if it points to a different commit
 * @throws Git host errors
 */
export async function removeBranch(
  deps: Pick<RemoveBranchDeps, 'credentials' | 'gitHttp'>,
  input: OwnBranch & { repositoryUrl: string; signal: AbortSignal },
): Promise<boolean> {
  const { repositoryUrl, branch, commit, signal } = input
  const repository = toRepositoryAddress(repositoryUrl)
  return withToken(deps.credentials, { repository, access: 'publish', signal }, (token) =>
    deleteBranch({
      http: { ...deps.gitHttp, url: `${repository.url}.git`, token, signal },
      branch,
      expected: commit,
    }),
  )
}
