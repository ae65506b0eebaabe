import type { DeployedCommit } from '@corrigenda/contracts'
import { type DeploymentClaim, type DeploymentOutcome, noteDeployment } from '@corrigenda/core/deployments'
import { redactSecrets } from '@corrigenda/git/text'
import { toAllowedRepository } from '../git-host/git-access.ts'
import type { GitHost } from '../git-host/git-host.ts'
import { GitHostError } from '../git-host/git-host-error.ts'
import { callHook } from './call-hook.ts'
import { type DeployDeps, DeployFailure, type DeployStep } from './deploy-step.ts'
import { dispatchRepository } from './dispatch-repository.ts'
import { dispatchWorkflow } from './dispatch-workflow.ts'

/** Minimum length for a hook URL part or workflow input to be treated as a secret. */
const SHORTEST_PART = 12

/**
 * Runs a claimed deployment to completion: resolves the commit, then calls the deploy target.
 * @param input.assertHeld throws unless the process still holds the lease according to its own
 * clocks
 * @throws DeployFailure, GitHostError, CredentialsError; LostLeaseError; the signal's abort reason
 */
export async function deploy(
  deps: DeployDeps,
  claim: DeploymentClaim,
  input: { signal: AbortSignal; assertHeld: () => void },
): Promise<DeploymentOutcome> {
  const { signal } = input
  const { target } = claim
  if (claim.attemptsUsed > deps.maxAttempts) {
    throw new DeployFailure(
      `The deployment was started ${deps.maxAttempts} times, and its worker stopped each time before it finished.`,
    )
  }
  if (target === null) {
    throw new DeployFailure('The project has no readable deploy target. Configure one and deploy again.')
  }
  const step: DeployStep = {
    deps,
    claim,
    repository: toAllowedRepository(deps, claim.repositoryUrl),
    signal,
    async note({ line, ...rest }) {
      input.assertHeld()
      await noteDeployment(deps, claim, line === undefined ? rest : { ...rest, line: hideSecrets(deps, claim, line) })
    },
  }
  if (claim.attempt > 1) await step.note({ line: 'Another worker continues this deployment.' })
  const commit = claim.commit ?? (await resolveCommit(step))
  if (claim.commit === null) {
    const [subject = ''] = commit.message.split('\n')
    await step.note({ line: `Deploying ${commit.sha.slice(0, 7)} of ${commit.ref}: ${subject.slice(0, 200)}`, commit })
  }
  switch (target.kind) {
    case 'hook':
      return callHook({ ...step, commit }, target)
    case 'workflow_dispatch':
      return dispatchWorkflow({ ...step, commit }, target)
    case 'repository_dispatch':
      return dispatchRepository({ ...step, commit }, target)
  }
}

/**
 * Redacts text shown to callers. A hook's path is often its only secret. Short parts of the path
 * are ordinary words and are not redacted.
 */
export function hideSecrets(deps: DeployDeps, claim: DeploymentClaim, text: string): string {
  const knownSecrets = [...deps.secrets]
  if (claim.target?.kind === 'hook') {
    const { href, pathname, search, searchParams } = new URL(claim.target.url)
    const parts = [pathname + search, ...pathname.split('/'), ...searchParams.values()]
    // Receivers may repeat the URL in encoded or decoded form.
    const read = parts.map(decodePart)
    knownSecrets.push(href, ...[...parts, ...read].filter((part) => part.length >= SHORTEST_PART))
  }
  if (claim.target?.kind === 'workflow_dispatch') {
    knownSecrets.push(...Object.values(claim.target.inputs ?? {}).filter((value) => value.length >= SHORTEST_PART))
  }
  return redactSecrets(text, knownSecrets)
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

type FilesChanged = DeployedCommit['filesChanged']

const UNKNOWN: FilesChanged = { added: [], modified: [], removed: [] }
const MAX_MESSAGE = 4_000

/**
 * Reads the commit to deploy from the Git host: the newest commit on the base branch or on the branch
 * of a preview, and the files changed since the previously deployed commit.
 * @throws DeployFailure when the branch does not exist; GitHostError, CredentialsError
 */
async function resolveCommit(step: DeployStep): Promise<DeployedCommit> {
  const { deps, claim, repository, signal } = step
  const { credentials } = deps
  using gitHost = await deps.openGitHost({ credentials, repository, access: 'read', signal })
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
