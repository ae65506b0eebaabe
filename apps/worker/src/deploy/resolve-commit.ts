import type { DeployedCommit } from '@corrigenda/contracts'
import type { GitHost } from '../git-host/git-host.ts'
import { GitHostError } from '../git-host/git-host-error.ts'
import { DeployFailure } from './deploy-failure.ts'
import type { DeployStep } from './deploy-step.ts'

type FilesChanged = DeployedCommit['filesChanged']

const UNKNOWN: FilesChanged = { added: [], modified: [], removed: [] }
const MAX_MESSAGE = 4_000

/**
 * Reads the commit to deploy from the Git host: the newest commit on the base branch or on the branch
 * of a preview, and the files changed since the previously deployed commit.
 * @throws DeployFailure when the branch does not exist; GitHostError, CredentialsError
 */
export async function resolveCommit(step: DeployStep): Promise<DeployedCommit> {
  const { deps, claim, repository, signal } = step
  const { credentials } = deps
  const gitHost = await deps.openGitHost({ credentials, repository, access: 'read', signal })
  try {
    const { preview } = claim
    const branch = preview?.branch ?? claim.baseBranch ?? (await gitHost.getRepository()).defaultBranch
    const tip = await gitHost.getBranch({ branch }).catch((error: unknown) => {
      if (!(error instanceof GitHostError) || error.code !== 'not_found') throw error
      const next = preview
        ? 'Push the branch, then request the preview again.'
        : "Correct the project's base branch, or push a first commit to it."
      throw new DeployFailure(`${repository.path} has no branch ${branch}. ${next}`)
    })
    const { commit: sha, message } = tip
    const filesChanged = await compare(gitHost, step, sha)
    return { sha, ref: branch, message: message.slice(0, MAX_MESSAGE).toWellFormed(), filesChanged }
  } finally {
    gitHost.close()
  }
}

async function compare(gitHost: GitHost, { claim, note }: DeployStep, sha: string): Promise<FilesChanged> {
  const before = claim.deployedBefore
  if (before === null || before === sha) return UNKNOWN
  try {
    const { added, modified, removed } = await gitHost.compareCommits({ base: before, head: sha })
    return { added: [...added], modified: [...modified], removed: [...removed] }
  } catch (error) {
    if (!(error instanceof GitHostError) || error.code === 'aborted') throw error
    // After a history rewrite, the older commit may no longer exist. The deployment can continue
    // without the comparison.
    await note({ line: `The changes since the previous deployment (${before.slice(0, 7)}) are unknown.` })
    return UNKNOWN
  }
}
