import type { SigningKey } from '@corrigenda/core/instance'
import { type FrozenPublish, freezeRun, setPhase } from '@corrigenda/core/runs'
import { type BuiltCommit, buildCommit, signWithSsh } from '@corrigenda/git/commit'
import { redactValue } from '@corrigenda/git/text'
import type { AgentWork } from '../agent-work/do-agent-work.ts'
import type { RunAgentWork } from '../agent-work/open-agent-threads.ts'
import { readChangedFiles, toChanges } from '../publish/to-changes.ts'
import { type ChangeDescription, type DescribeDeps, describeChange } from './describe-change.ts'
import { listBranchChanges, openWholeChange } from './list-branch-changes.ts'
import { type PrepareAgentDeps, prepareAgent } from './prepare-agent.ts'
import type { PreparedRun } from './prepare-run.ts'
import { openSources, type RepositoryDeps } from './prepare-sources.ts'
import { type ChangeResult, mayAsk, type RunEnding, RunFailure, toRunEnding } from './run-failure.ts'
import { traceAgent } from './trace-agent.ts'

export interface AgentPhaseDeps extends RepositoryDeps, PrepareAgentDeps, DescribeDeps {
  readonly runAgentWork: RunAgentWork
  /** Name of the model's provider in traces (`gen_ai.provider.name`). Default: `anthropic`. */
  readonly modelProvider?: string
  /** Returns the key that signs commits; null if commits are not signed. */
  findSigningKey(): Promise<SigningKey | null>
}

/**
 * Result of the agent phase: a change to publish, frozen in Postgres, or an ending without a
 * change.
 */
type AgentPhase = { readonly kind: 'frozen'; readonly publish: FrozenPublish; readonly built: BuiltCommit } | RunEnding

/**
 * Runs the nondeterministic part of a run, in which the model edits the work tree. Every turn is
 * durable. The phase ends with a frozen description of the commit and its pull request.
 * @throws RunFailure, LostLeaseError, the signal's reason
 */
export async function runAgentPhase(deps: AgentPhaseDeps, prepared: PreparedRun): Promise<AgentPhase> {
  const { claim, signal } = prepared
  if (claim.base) await setPhase(deps, claim, 'editing')
  await using opened = await openSources(deps, claim, prepared, signal)
  const { sources } = opened
  await using whole = await openWholeChange(deps, prepared, sources)
  const agent = prepareAgent(deps, prepared, { sources, whole: whole?.change ?? null })
  const { host, end } = traceAgent(agent.host, deps.modelProvider ?? 'anthropic')
  const work = await deps.runAgentWork(agent.task, host, signal).finally(end)
  const result = toRunEnding(work.result, { mayAsk: mayAsk(claim) })
  if (result.kind === 'stopped') throw await toFailure(deps, prepared, work, result)
  if (work.fault !== null) throw await toFailure(deps, prepared, work, work.fault)
  if (result.kind !== 'finished') return result
  if (work.review === null) throw new Error('a change that may be published has no review')
  await setPhase(deps, claim, 'checking')
  const described = { result, review: work.review, instructionsUsed: agent.record.listPaths() }
  const description = await describeChange(deps, prepared, described)
  return await freezeChange(deps, prepared, { result, description })
}

/**
 * Returns the failure of a run that was stopped or whose change must not be published, with the
 * changes made so far. Everyone who may read the job can read its changes, so these contain no file
 * with text of private sources, and none if the agent tried to publish such text.
 */
async function toFailure(
  { secrets }: AgentPhaseDeps,
  { workTree, snapshot }: PreparedRun,
  { result, partialChanges }: AgentWork,
  { code, message }: Pick<RunFailure, 'code' | 'message'>,
): Promise<RunFailure> {
  const checks = result.kind === 'deferred' ? [] : result.checks
  if (partialChanges === null) return new RunFailure(code, redactValue(message, secrets), checks)
  const files = await readChangedFiles({ base: snapshot, workTree })
  const shown = toChanges(files.filter(({ path }) => !partialChanges.hidden.includes(path)))
  const changes = { baseCommit: snapshot.commit, ...redactValue(shown, secrets) }
  return new RunFailure(code, redactValue(message, secrets), checks, changes)
}

/**
 * Builds the commit for a change and freezes it together with its pull request. From then on, the
 * run only publishes. Ends the run without a change if the edits cancel each other out and leave
 * nothing to commit.
 * @throws LostLeaseError, the signal's reason
 */
async function freezeChange(
  deps: AgentPhaseDeps,
  prepared: PreparedRun,
  { result, description }: { result: ChangeResult; description: ChangeDescription },
): Promise<AgentPhase> {
  const { claim, snapshot, workTree, branch, baseBranch, expected } = prepared
  const { commitMessage: message, author, timestamp } = description
  // The signature is frozen, so that the commit stays the same if the key is removed.
  const key = await deps.findSigningKey()
  const signature = key && ((commit: Parameters<typeof signWithSsh>[0]) => signWithSsh(commit, key))
  const changes = workTree.overlay()
  const built = await buildCommit({ snapshot, changes, message, author, committer: author, timestamp, signature })
  if (built === null) {
    const summary = result.reason || 'The edits cancel each other out.'
    const { sourcesShown } = result
    return { kind: 'ended', outcome: { kind: 'no_changes', summary, checks: [], sourcesShown } }
  }
  const publish: FrozenPublish = {
    ...description,
    branch,
    baseBranch,
    expected,
    baseCommit: snapshot.commit,
    commit: built.commit,
    signature: built.signature,
    evidence: [...result.evidence],
    sourcesShown: [...result.sourcesShown],
  }
  const whole = await listBranchChanges(deps, prepared)
  await deps.onPoint('run.freezing', claim)
  await freezeRun(deps, claim, {
    publish,
    // A follow-up has a section instead of a title, because its pull request keeps the existing
    // title.
    title: publish.section === null ? publish.title : null,
    summary: result.body,
    checks: result.checks,
    changes: whole && redactValue({ baseCommit: whole.baseCommit, ...toChanges(whole.files) }, deps.secrets),
  })
  await deps.onPoint('run.frozen', claim)
  return { kind: 'frozen', publish, built }
}
