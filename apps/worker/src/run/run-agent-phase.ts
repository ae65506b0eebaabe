import { readInstructions, runAgent, toPolicyInstructions } from '@corrigenda/agent/loop'
import type { CallModel } from '@corrigenda/agent/model'
import {
  type Flag,
  findCodeOwners,
  findFlags,
  findLocales,
  type Locales,
  readConfiguredLocales,
} from '@corrigenda/agent/policy'
import { toStorable } from '@corrigenda/core/base'
import { type RunSettings, toRunSettings } from '@corrigenda/core/projects'
import { type Claim, type FrozenPublish, freezeRun, setPhase } from '@corrigenda/core/runs'
import { buildCommit } from '@corrigenda/git/commit'
import { redactValue } from '@corrigenda/git/text'
import type { WorkspaceChange } from '@corrigenda/git/workspace'
import { countChangedLines, readLines } from '@corrigenda/git/workspace'
import { buildFollowUpSection } from '../publish/build-follow-up-section.ts'
import { buildPullRequestText, type PullRequestTextInput } from '../publish/build-pull-request-text.ts'
import { readChangedFiles } from '../publish/read-changed-files.ts'
import { toChanges } from '../publish/to-changes.ts'
import { toPullRequestPolicy } from '../publish/to-pull-request-policy.ts'
import { AUTHOR } from './author.ts'
import { buildInstructionRecord } from './build-instruction-record.ts'
import { buildTranscriptStore, toStoredRows } from './build-transcript-store.ts'
import { describeEarlier } from './describe-earlier.ts'
import { listBranchChanges } from './list-branch-changes.ts'
import type { PreparedRun } from './prepare-run.ts'
import { RunFailure } from './run-failure.ts'
import { needsLocales, toRunBudgets, toRunPolicy } from './to-run-policy.ts'
import type { RunEnding } from './work-on-run.ts'
import type { WorkerDeps } from './worker-deps.ts'

/** Either there is something to publish, frozen in Postgres, or the run has come to its end without. */
export type AgentPhase = { readonly kind: 'frozen'; readonly publish: FrozenPublish } | RunEnding

/**
 * The part that is not deterministic: the model edits the work tree. Every turn is durable; the end is one frozen description of the commit and
 * its pull request.
 * @throws RunFailure, LostLeaseError, the signal's reason
 */
export async function runAgentPhase(
  deps: WorkerDeps,
  claim: Claim,
  prepared: PreparedRun,
  signal: AbortSignal,
): Promise<AgentPhase> {
  const { workTree, snapshot, repository, state } = prepared
  if (claim.base) await setPhase(deps, claim, 'editing')
  const { policyFiles } = prepared
  const instructions = [...toPolicyInstructions(policyFiles), ...(await readInstructions(workTree))]
  const record = buildInstructionRecord(workTree, toStoredRows(state))
  const endReading = deps.checker.prepare(workTree)
  const settings = toRunSettings(claim.settings)
  const earlier = describeEarlier(claim.earlier)
  const said = await runAgent(
    {
      callModel: withPoints(deps, claim),
      workspace: workTree,
      transcript: buildTranscriptStore(deps, { fence: claim, workTree, state, instructions: record }),
      checkDocs: deps.checker.checkDocs,
      policy: toRunPolicy(settings, { files: policyFiles, locales: await readLocales(settings, prepared) }),
      prices: deps.prices,
      canaries: deps.secrets,
      log: (message, fields) => deps.log.info({ ...fields, runId: claim.runId }, message),
    },
    {
      prompt: claim.prompt,
      model: claim.model,
      instructions,
      repository: { name: repository.path, baseBranch: prepared.baseBranch },
      budgets: toRunBudgets(deps.budgets, settings, policyFiles),
      ...(deps.toModelOptions ? { toModelOptions: deps.toModelOptions } : {}),
      projectInstructions: settings.policy.instructions,
      ...(earlier === undefined ? {} : { extraInstructions: earlier }),
      startedAt: new Date(Date.now() - claim.workedMs),
    },
    signal,
  ).finally(endReading)
  // The model's words go to the job record, too, whatever the outcome.
  const result = redactValue(said, deps.secrets)
  if (result.kind === 'deferred') {
    const afterMs = Math.max(0, result.retryAt.getTime() - Date.now())
    return { kind: 'later', afterMs, code: 'model_unavailable', message: result.reason }
  }
  // The calls were repeated for a while already; an outage of minutes shall not fail the job either.
  if (result.kind === 'stopped' && result.code === 'model_unavailable') {
    return { kind: 'later', afterMs: null, code: result.code, message: result.message }
  }
  if (result.kind === 'stopped') {
    throw new RunFailure(
      result.code,
      result.message,
      result.checks,
      redactValue(await toPartialChanges(prepared), deps.secrets),
    )
  }
  const { checks, reason } = result
  switch (result.outcome) {
    case 'no_change':
      return { kind: 'ended', outcome: { kind: 'no_changes', summary: reason, checks } }
    case 'needs_input':
      return { kind: 'ended', outcome: { kind: 'needs_input', summary: reason, checks } }
    case 'impossible':
      throw new RunFailure('impossible', reason, checks)
    case 'changed':
      break
  }
  await setPhase(deps, claim, 'checking')
  const changes = await workTree.changes()
  const hasPullRequest = typeof claim.earlier?.branch?.pullNumber === 'number'
  const owners = settings.policy.codeownersReviewers ? await findCodeOwners(workTree, changes) : []
  const wishes = toPullRequestPolicy(settings, policyFiles, claim.options, owners)
  const timestamp = Math.floor(Date.now() / 1000)
  const words: PullRequestTextInput = {
    jobId: claim.jobId,
    jobUrl: deps.publicUrl === null ? null : `${deps.publicUrl}/v2/agent/${claim.projectId}/job/${claim.jobId}`,
    prompt: claim.prompt,
    // The caller's title is the pull request's, not that of every commit.
    requestedTitle: hasPullRequest ? null : (claim.options.title ?? null),
    titlePattern: wishes.titlePattern,
    date: new Date(timestamp * 1000).toISOString().slice(0, 10),
    title: result.title,
    body: result.body,
    changes: changes.map(toChange),
    checks,
    flags: findFlags(changes).map(describeFlag),
    instructionsUsed: record.listPaths(),
    model: result.model,
    isRehearsal: result.model === 'rehearsal',
    usage: result.usage,
    canaries: deps.secrets,
  }
  const text = toStorable(buildPullRequestText(words))
  const section = hasPullRequest
    ? toStorable({ text: buildFollowUpSection({ ...words, number: claim.seq - 1 }) }).text
    : null
  const built = await buildCommit({
    snapshot,
    changes: workTree.overlay(),
    message: text.commitMessage,
    author: AUTHOR,
    committer: AUTHOR,
    timestamp,
  })
  if (built === null)
    return {
      kind: 'ended',
      outcome: { kind: 'no_changes', summary: reason || 'The edits cancel each other out.', checks },
    }
  const publish: FrozenPublish = {
    branch: prepared.branch,
    baseBranch: prepared.baseBranch,
    baseCommit: snapshot.commit,
    commit: built.commit,
    commitMessage: text.commitMessage,
    timestamp,
    title: text.title,
    body: text.body,
    draft: wishes.draft,
    labels: [...wishes.labels],
    // Who was asked once is not asked again for a follow-up.
    reviewers: hasPullRequest ? [] : [...wishes.reviewers],
    expected: prepared.expected,
    section,
  }
  const whole = await listBranchChanges(deps, claim, prepared, signal)
  const shown = whole && redactValue({ ...whole, files: toChanges(whole.files) }, deps.secrets)
  await deps.onPoint('run.freezing', claim)
  await freezeRun(deps, claim, {
    publish,
    title: hasPullRequest ? null : text.title,
    summary: result.body,
    checks,
    changes: shown,
  })
  await deps.onPoint('run.frozen', claim)
  return { kind: 'frozen', publish }
}

/** The languages of the base commit, when anybody fences some off. */
async function readLocales(settings: RunSettings, { workTree, policyFiles }: PreparedRun): Promise<Locales> {
  if (!needsLocales(settings, policyFiles)) return findLocales([])
  const paths = (await workTree.listBase()).map(({ path }) => path)
  return findLocales(paths, await readConfiguredLocales(workTree))
}

/** What the agent had done when it was stopped; null when that is nothing. */
async function toPartialChanges({ workTree, snapshot, expected }: PreparedRun) {
  if (workTree.overlay().length === 0 || expected !== null) return null
  const files = await readChangedFiles({ base: snapshot, workTree })
  return { baseCommit: snapshot.commit, files: toChanges(files) }
}

function withPoints({ callModel, onPoint }: WorkerDeps, claim: Claim): CallModel {
  return async (...input) => {
    await onPoint('model.calling', claim)
    const reply = await callModel(...input)
    await onPoint('model.answered', claim)
    return reply
  }
}

function toChange(change: WorkspaceChange) {
  const { added, removed } = countChangedLines(readLines(change.before) ?? [], readLines(change.after) ?? [])
  return { path: change.path, kind: change.kind, added, removed }
}

const FLAG_WORDS: Record<Flag['kind'], string> = {
  external_image: 'loads an external image',
  script: 'contains a script',
  iframe: 'embeds a frame',
  invisible_characters: 'contains invisible characters',
}

const describeFlag = ({ kind, path, line, detail }: Flag): string =>
  `${path}:${line} ${FLAG_WORDS[kind]}${detail ? ` (${detail})` : ''}`
