import { type Claim, findFrozen, type RunOutcome, toExhausted } from '@corrigenda/core'
import { deleteBranch } from '@corrigenda/git/commit'
import { openGitHub } from '../github/open-github.ts'
import { toRepository } from '../github/repository.ts'
import { findPullRequest } from '../publish/find-pull-request.ts'
import { getRepositoryName } from '../publish/get-repository-name.ts'
import type { WorkerDeps } from './worker-deps.ts'

/**
 * How a run ends that had begun to open its pull request and shall not go on: as the Git host says. With a pull request it is completed; without one
 * it ends for the given reason. Opens nothing, and takes the branch of a cancelled job away again.
 * @throws errors of the Git host
 */
export async function settleRun(
  deps: WorkerDeps,
  claim: Claim,
  why: NonNullable<Claim['settle']>,
  signal: AbortSignal,
): Promise<RunOutcome> {
  const frozen = await findFrozen(deps, claim.runId)
  if (frozen?.isOpening) {
    const found = await findPublished(deps, claim, frozen.publish, signal)
    if (found) {
      const { number, url, state, draft } = found
      return { kind: 'changed', pullRequest: { number, url, branch: frozen.publish.branch, state, draft } }
    }
  }
  if (why === 'attempts_exhausted') return toExhausted(deps.maxAttempts)
  return { kind: 'cancelled', branchRemoved: await removeBranch(deps, claim, signal) }
}

async function findPublished(
  deps: WorkerDeps,
  claim: Claim,
  publish: { branch: string; commit: string },
  signal: AbortSignal,
) {
  const repository = toRepository(claim.repositoryUrl)
  const github = await openGitHub(
    { ...deps.github, credentials: deps.credentials },
    { repository, access: 'publish', signal },
  )
  try {
    const name = await getRepositoryName({ github }, { signal })
    const head = { ...name, branch: publish.branch }
    return await findPullRequest({ github }, { head, expectedHead: publish.commit, jobId: claim.jobId, signal })
  } finally {
    github.close()
  }
}

/**
 * Takes the branch of a cancelled run away, if it is on the Git host and holds nothing but our commit. Best effort: a branch without a pull request
 * harms nobody. Answers whether there is no such branch any more.
 */
export async function removeBranch(deps: WorkerDeps, claim: Claim, signal: AbortSignal): Promise<boolean> {
  const frozen = await findFrozen(deps, claim.runId)
  if (!frozen) return true
  const { branch, commit, expected } = frozen.publish
  // The branch of a follow-up has the work of earlier runs, and their pull request.
  if (expected !== null) return false
  return removeBranchAt(deps, claim, { branch, commit }, signal)
}

/** Takes a branch away that is at this very commit of ours. Best effort; answers whether there is no such branch any more. */
export async function removeBranchAt(
  deps: WorkerDeps,
  claim: Claim,
  { branch, commit }: { branch: string; commit: string },
  signal: AbortSignal,
): Promise<boolean> {
  const { runId, jobId } = claim
  try {
    const repository = toRepository(claim.repositoryUrl)
    const token = await deps.credentials.getToken({ repository, access: 'publish', signal })
    const http = { ...deps.gitHttp, url: `${claim.repositoryUrl}.git`, token, signal }
    return await deleteBranch({ http, branch, expected: commit })
  } catch (error) {
    const reason = error instanceof Error ? error.name : 'unknown'
    deps.log.warn({ runId, jobId, branch, reason }, 'the branch of a cancelled job could not be removed')
    return false
  }
}
