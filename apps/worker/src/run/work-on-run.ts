import type { Claim } from '@corrigenda/core/runs'
import { withSpan } from '@corrigenda/core/tracing'
import type { HeldRun } from './hold-run.ts'
import { prepareRun } from './prepare-run.ts'
import { resolveInterruptedPublish } from './resolve-interrupted-publish.ts'
import { runAgentPhase } from './run-agent-phase.ts'
import type { RunEnding } from './run-ending.ts'
import { runPublishPhase } from './run-publish-phase.ts'
import type { WorkerDeps } from './worker-deps.ts'

/**
 * Works on a claimed run from checkout to pull request, starting where an earlier attempt stopped.
 * @throws any error from the work, which endRunAfter handles
 */
export async function workOnRun(deps: WorkerDeps, claim: Claim, lease: HeldRun): Promise<RunEnding> {
  const { interruptedPublish } = claim
  if (interruptedPublish !== null) {
    const outcome = await resolveInterruptedPublish(deps, claim, interruptedPublish, lease.signal)
    return { kind: 'ended', outcome }
  }
  await using prepared = await withSpan('prepare', {}, () => prepareRun(deps, claim, lease.signal))
  const frozen = claim.frozen
    ? ({ kind: 'frozen', publish: claim.frozen, built: null } as const)
    : await runAgentPhase(deps, claim, prepared, lease.signal)
  if (frozen.kind !== 'frozen') return frozen
  return { kind: 'ended', outcome: await runPublishPhase(deps, claim, prepared, frozen, lease) }
}
