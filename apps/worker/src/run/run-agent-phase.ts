import { type Claim, type FrozenPublish, freezeRun, setPhase } from '@corrigenda/core/runs'
import { type BuiltCommit, buildCommit, signWithSsh } from '@corrigenda/git/commit'
import { redactValue } from '@corrigenda/git/text'
import type { AgentWork } from '../agent-work/do-agent-work.ts'
import { readChangedFiles } from '../publish/read-changed-files.ts'
import { toChanges } from '../publish/to-changes.ts'
import { buildInstructionRecord, toStoredRows } from './build-transcript-store.ts'
import { type ChangeDescription, describeChange } from './describe-change.ts'
import { listBranchChanges, openWholeChange } from './list-branch-changes.ts'
import { prepareAgent } from './prepare-agent.ts'
import type { PreparedRun } from './prepare-run.ts'
import { openSources } from './prepare-sources.ts'
import { type RunEnding, RunFailure } from './run-failure.ts'
import { type ChangeResult, mayAsk, toRunEnding } from './to-run-ending.ts'
import { traceAgent } from './trace-agent.ts'
import type { WorkerDeps } from './worker-deps.ts'

/**
 * Result of the agent phase: a change to publish, frozen in Postgres, or an ending without a
 * change.
 */
export type AgentPhase =
  | { readonly kind: 'frozen'; readonly publish: FrozenPublish; readonly built: BuiltCommit }
  | RunEnding

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
  const { sources } = opened
  await using whole = await openWholeChange(deps, claim, prepared, sources, signal)
  const input = { record, sources, whole: whole?.change ?? null }
  const { task, host: untraced } = prepareAgent(deps, claim, prepared, input)
  const { host, end } = traceAgent(untraced, deps.modelProvider ?? 'anthropic')
  const work = await deps.runAgentWork(task, host, signal).finally(end)
  const result = toRunEnding(work.result, { mayAsk: mayAsk(claim) })
  if (result.kind === 'stopped') throw await toFailure(deps, prepared, work, result)
  if (work.fault !== null) throw await toFailure(deps, prepared, work, work.fault)
  if (result.kind !== 'finished') return result
  if (work.review === null) throw new Error('a change that may be published has no review')
  await setPhase(deps, claim, 'checking')
  const described = { result, review: work.review, instructionsUsed: record.listPaths() }
  const description = await describeChange(deps, claim, prepared, described, signal)
  const frozen = await freezeChange(deps, claim, prepared, { result, description }, signal)
  if (frozen !== null) return { kind: 'frozen', ...frozen }
  const summary = result.reason || 'The edits cancel each other out.'
  const { sourcesShown } = result
  return { kind: 'ended', outcome: { kind: 'no_changes', summary, checks: [], sourcesShown } }
}

/**
 * Returns the failure of a run that was stopped or whose change must not be published, with the
 * changes made so far. Everyone who may read the job can read its changes, so these contain no file
 * with text of private sources, and none if the agent tried to publish such text.
 */
async function toFailure(
  { secrets }: Pick<WorkerDeps, 'secrets'>,
  { workTree, snapshot }: PreparedRun,
  work: AgentWork,
  { code, message }: Pick<RunFailure, 'code' | 'message'>,
): Promise<RunFailure> {
  const checks = work.result.kind === 'deferred' ? [] : work.result.checks
  if (work.partialChanges === null) return new RunFailure(code, redactValue(message, secrets), checks)
  const hidden = new Set(work.partialChanges.hidden)
  const files = await readChangedFiles({ base: snapshot, workTree })
  const shown = toChanges(files.filter(({ path }) => !hidden.has(path)))
  const changes = { baseCommit: snapshot.commit, files: redactValue(shown, secrets) }
  return new RunFailure(code, redactValue(message, secrets), checks, changes)
}

/**
 * Builds the commit for a change and freezes it together with its pull request. From then on, the
 * run only publishes.
 * @returns the frozen change with its commit; null if the edits cancel each other out and leave nothing to commit
 * @throws LostLeaseError, the signal's reason
 */
export async function freezeChange(
  deps: WorkerDeps,
  claim: Claim,
  prepared: PreparedRun,
  { result, description }: { result: ChangeResult; description: ChangeDescription },
  signal: AbortSignal,
): Promise<{ publish: FrozenPublish; built: BuiltCommit } | null> {
  const { snapshot, workTree, branch, baseBranch, expected } = prepared
  // The signature is frozen, so that the commit stays the same if the key is removed.
  const key = await deps.findSigningKey()
  const built = await buildCommit({
    snapshot,
    changes: workTree.overlay(),
    message: description.commitMessage,
    author: description.author,
    committer: description.author,
    timestamp: description.timestamp,
    signature: key && ((commit) => signWithSsh(commit, key)),
  })
  if (built === null) return null
  const publish: FrozenPublish = {
    ...description,
    ...{ branch, baseBranch, expected },
    baseCommit: snapshot.commit,
    commit: built.commit,
    signature: built.signature,
    evidence: [...result.evidence],
    sourcesShown: [...result.sourcesShown],
  }
  const whole = await listBranchChanges(deps, claim, prepared, signal)
  const changes = whole && redactValue({ ...whole, files: toChanges(whole.files) }, deps.secrets)
  await deps.onPoint('run.freezing', claim)
  await freezeRun(deps, claim, {
    publish,
    // A follow-up has a section instead of a title, because its pull request keeps the existing
    // title.
    title: publish.section === null ? publish.title : null,
    summary: result.body,
    checks: result.checks,
    changes,
  })
  await deps.onPoint('run.frozen', claim)
  return { publish, built }
}
