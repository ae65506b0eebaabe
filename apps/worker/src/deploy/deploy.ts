import { type RepositoryAddress, toRepositoryAddress } from '@corrigenda/contracts'
import { type DeploymentClaim, type DeploymentOutcome, noteDeployment } from '@corrigenda/core/deployments'
import { toRepositoryUrl } from '@corrigenda/core/projects'
import { redactSecrets } from '@corrigenda/git/text'
import { callHook } from './call-hook.ts'
import type { DeployDeps } from './deploy-deps.ts'
import { DeployFailure } from './deploy-failure.ts'
import type { DeployCommitStep, DeployStep } from './deploy-step.ts'
import { dispatchRepository } from './dispatch-repository.ts'
import { dispatchWorkflow } from './dispatch-workflow.ts'
import { resolveCommit } from './resolve-commit.ts'

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
  if (claim.attemptsUsed > deps.maxAttempts) {
    throw new DeployFailure(
      `The deployment was started ${deps.maxAttempts} times, and its worker stopped each time before it finished.`,
    )
  }
  if (claim.target === null) {
    throw new DeployFailure('The project has no readable deploy target. Configure one and deploy again.')
  }
  const step: DeployStep = {
    deps,
    claim,
    repository: toAllowedRepository(deps, claim),
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
  return startDeployment({ ...step, commit })
}

function startDeployment(step: DeployCommitStep): Promise<DeploymentOutcome> {
  const { target } = step.claim
  switch (target?.kind) {
    case 'hook':
      return callHook(step, target)
    case 'workflow_dispatch':
      return dispatchWorkflow(step, target)
    case 'repository_dispatch':
      return dispatchRepository(step, target)
    default:
      throw new DeployFailure('The project has no readable deploy target. Configure one and deploy again.')
  }
}

function toAllowedRepository(deps: DeployDeps, claim: DeploymentClaim): RepositoryAddress {
  try {
    return toRepositoryAddress(toRepositoryUrl(claim.repositoryUrl, deps.allowedRepositoryHosts))
  } catch (error) {
    throw new DeployFailure(error instanceof Error ? error.message : 'The repository is not allowed.')
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
