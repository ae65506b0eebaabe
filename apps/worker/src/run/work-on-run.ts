import type { Claim, RunOutcome } from '@corrigenda/core/runs'
import type { HeldRun } from './hold-run.ts'
import { prepareRun } from './prepare-run.ts'
import { resolveInterruptedPublish } from './resolve-interrupted-publish.ts'
import { runAgentPhase } from './run-agent-phase.ts'
import { runPublishPhase } from './run-publish-phase.ts'
import type { WorkerDeps } from './worker-deps.ts'

/** A run has ended, or shall go on later. */
export type RunEnding =
  | { readonly kind: 'ended'; readonly outcome: RunOutcome }
  | {
      readonly kind: 'later'
      /** Wait that was asked for, in ms; null: ours to choose. */
      readonly afterMs: number | null
      /** What the job fails with when waiting does not help. */
      readonly code: string
      readonly message: string
    }

/**
 * One claimed run from checkout to pull request, continuing wherever an earlier attempt stopped.
 * @throws whatever stands in the way; see endRunAfter for what becomes of it
 */
export async function workOnRun(deps: WorkerDeps, claim: Claim, lease: HeldRun): Promise<RunEnding> {
  if (claim.settle)
    return { kind: 'ended', outcome: await resolveInterruptedPublish(deps, claim, claim.settle, lease.signal) }
  await using prepared = await prepareRun(deps, claim, lease.signal)
  const frozen = claim.frozen
    ? ({ kind: 'frozen', publish: claim.frozen } as const)
    : await runAgentPhase(deps, claim, prepared, lease.signal)
  if (frozen.kind !== 'frozen') return frozen
  return { kind: 'ended', outcome: await runPublishPhase(deps, claim, prepared, frozen.publish, lease) }
}
