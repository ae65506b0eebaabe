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
 * A branch of this service. It is removed only while it is at exactly this commit: later commits on
 * it belong to other authors.
 */
export interface OwnBranch {
  readonly branch: string
  /** 40 hex digits. */
  readonly commit: string
}

/**
 * Removes the branch of a cancelled run, if it exists on the Git host and contains only the run's
 * commit. Best effort: a branch without a pull request does no harm.
 * @returns true when the branch is gone
 */
export async function removeRunBranch(deps: RemoveBranchDeps, claim: Claim, signal: AbortSignal): Promise<boolean> {
  const frozen = await findFrozen(deps, claim.runId)
  if (!frozen) return true
  const { branch, commit, expected } = frozen.publish
  // The branch of a follow-up has the work and the pull request of earlier runs.
  if (expected !== null) return false
  return tryRemoveBranch(deps, claim, { branch, commit }, signal)
}

/** Calls {@link removeBranch}, but logs a failure and returns false. */
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
    const reason = error instanceof Error ? error.name : 'unknown'
    deps.log.warn({ runId, jobId, branch, reason }, 'branch of a cancelled job not removed')
    return false
  }
}

/**
 * Deletes a branch that is at exactly this commit.
 * @returns true when the branch is gone; false when it is at another commit
 * @throws errors of the Git host
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
