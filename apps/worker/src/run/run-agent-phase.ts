import { type AgentDeps, findLeakingPaths, runAgent, verifyFinished } from '@corrigenda/agent/loop'
import { type Claim, type FrozenPublish, setPhase } from '@corrigenda/core/runs'
import type { BuiltCommit } from '@corrigenda/git/commit'
import { redactValue } from '@corrigenda/git/text'
import { readChangedFiles } from '../publish/read-changed-files.ts'
import { toChanges } from '../publish/to-changes.ts'
import { buildInstructionRecord } from './build-instruction-record.ts'
import { toStoredRows } from './build-transcript-store.ts'
import { describeChange } from './describe-change.ts'
import { freezeChange } from './freeze-change.ts'
import { prepareAgent } from './prepare-agent.ts'
import type { PreparedRun } from './prepare-run.ts'
import { openSources } from './prepare-sources.ts'
import type { RunEnding } from './run-ending.ts'
import { RunFailure } from './run-failure.ts'
import { type ChangeResult, toRunEnding } from './to-run-ending.ts'
import { traceAgent } from './trace-agent.ts'
import type { WorkerDeps } from './worker-deps.ts'

/**
 * Result of the agent phase: a change to publish, frozen in Postgres, or an ending without a
 * change.
 */
export type AgentPhase =
  | { readonly kind: 'frozen'; readonly publish: FrozenPublish; readonly built: BuiltCommit }
  | RunEnding

type Fault = Pick<RunFailure, 'code' | 'message'>

/**
 * Runs the nondeterministic part of a run, in which the model edits the work tree. Every turn is
 * durable. The phase ends with a frozen description of the commit and its pull request.
 * @throws RunFailure, LostLeaseError, the signal's reason
 */
export async function runAgentPhase(
  deps: WorkerDeps,
  claim: Claim,
  prepared: PreparedRun,
  signal: AbortSignal,
): Promise<AgentPhase> {
  const { workTree, state } = prepared
  if (claim.base) await setPhase(deps, claim, 'editing')
  const record = buildInstructionRecord(workTree, toStoredRows(state))
  await using opened = await openSources(deps, claim, prepared, signal)
  const agent = await prepareAgent(deps, claim, prepared, { record, sources: opened.sources })
  const { agentInput } = agent
  const { agentDeps, end } = traceAgent(agent.agentDeps, deps.modelProvider ?? 'anthropic')
  const stopReading = deps.checker.prepare(workTree)
  const raw = await runAgent(agentDeps, agentInput, signal).finally(() => {
    stopReading()
    end()
  })
  // Redacted because the job record stores the model's text for every outcome.
  const result = toRunEnding(redactValue(raw, deps.secrets))
  const toFailure = async ({ code, message }: Fault, { checks, reads }: Pick<ChangeResult, 'checks' | 'reads'>) => {
    // Everyone who may read the job can read its changes.
    const changes = code === 'source_leak' ? null : await readPartialChanges(prepared, agentDeps, reads)
    return new RunFailure(code, redactValue(message, deps.secrets), checks, redactValue(changes, deps.secrets))
  }
  if (result.kind === 'stopped') throw await toFailure(result, result)
  if (result.kind !== 'finished') return result
  const fault = await verifyFinished(agentDeps, result)
  if (fault !== null) throw await toFailure(fault, result)
  await setPhase(deps, claim, 'checking')
  const described = { result, instructionsUsed: record.listPaths() }
  const description = await describeChange(deps, claim, prepared, described, signal)
  const frozen = await freezeChange(deps, claim, prepared, { result, description }, signal)
  if (frozen !== null) return { kind: 'frozen', ...frozen }
  const summary = result.reason || 'The edits cancel each other out.'
  const { checks, sourcesShown } = result
  return { kind: 'ended', outcome: { kind: 'no_changes', summary, checks, sourcesShown } }
}

/**
 * Returns a stopped agent's changes, without files that contain text of private sources; null if
 * it changed nothing or the branch contains earlier work.
 */
async function readPartialChanges(
  { workTree, snapshot, expected }: PreparedRun,
  agentDeps: Pick<AgentDeps, 'workspace' | 'sources'>,
  reads: ChangeResult['reads'],
) {
  if (workTree.overlay().length === 0 || expected !== null) return null
  const hidden = await findLeakingPaths(agentDeps, reads)
  const files = await readChangedFiles({ base: snapshot, workTree })
  return { baseCommit: snapshot.commit, files: toChanges(files.filter(({ path }) => !hidden.has(path))) }
}
