import { DEFAULT_OPTIONS, type WholeChange } from '@corrigenda/agent/loop'
import type { CallModel } from '@corrigenda/agent/model'
import type { AgentSource } from '@corrigenda/agent/sources'
import { toRunSettings } from '@corrigenda/core/projects'
import type { Claim, Earlier } from '@corrigenda/core/runs'
import type { AgentHost, AgentTask } from '../agent-work/do-agent-work.ts'
import { toRunBudgets } from '../agent-work/to-run-policy.ts'
import { buildTranscriptStore, type InstructionRecord, toStoredRows } from './build-transcript-store.ts'
import type { PreparedRun } from './prepare-run.ts'
import { mayAsk, NO_QUESTIONS } from './to-run-ending.ts'
import type { WorkerDeps } from './worker-deps.ts'

/**
 * Builds the agent's task for a run, from the transcript and work tree of earlier attempts and the
 * most restrictive budgets that apply, and the functions of the worker that the agent may use.
 */
export function prepareAgent(
  deps: WorkerDeps,
  claim: Claim,
  prepared: PreparedRun,
  { record, sources, whole }: { record: InstructionRecord; sources: readonly AgentSource[]; whole: WholeChange | null },
): { task: AgentTask; host: AgentHost } {
  const { workTree, repository, baseBranch, state, policyFiles, expected } = prepared
  const settings = toRunSettings(claim.settings)
  const { projectId, model } = claim
  const transcript = buildTranscriptStore(deps, { fence: claim, projectId, workTree, state, instructions: record })
  const rows = toStoredRows(state)
  const task: AgentTask = {
    prompt: claim.prompt,
    model,
    repository: { name: repository.path, baseBranch },
    settings,
    policyFiles,
    budgets: toRunBudgets(deps.budgets, settings, policyFiles),
    rows,
    modelOptions: listModelOptions(deps, [
      model,
      ...rows.flatMap(({ row }) => (row.role === 'header' ? [row.content.model] : [])),
    ]),
    extraInstructions: [describeEarlier(claim.earlier), mayAsk(claim) ? undefined : NO_QUESTIONS]
      .filter((text) => text !== undefined)
      .join('\n\n'),
    startedAt: new Date(Date.now() - claim.workedMs),
    prices: deps.prices,
    modelsWithoutCostBudget: deps.modelsWithoutCostBudget,
    knownSecrets: deps.secrets,
    keepsPartialChanges: expected === null,
  }
  const host: AgentHost = {
    workspace: workTree,
    whole,
    sources,
    callModel: withPoints(deps, claim),
    append: transcript.append,
    listMessages: transcript.listMessages,
    describeSpentBudget: transcript.describeSpentBudget,
    log: async (message, fields) => deps.log.info({ ...fields, runId: claim.runId }, message),
    toolStarted: async () => {},
    toolEnded: async () => {},
  }
  return { task, host }
}

/** Returns the options of these models and of their fallbacks. */
function listModelOptions({ toModelOptions }: WorkerDeps, models: readonly string[]): AgentTask['modelOptions'] {
  if (toModelOptions === undefined) return {}
  const own = models.map((model) => toModelOptions(model).fallbackModel ?? DEFAULT_OPTIONS.fallbackModel)
  const all = [...models, ...own.filter((model) => model !== null)]
  return Object.fromEntries(all.map((model) => [model, toModelOptions(model)]))
}

function withPoints({ callModel, onPoint }: WorkerDeps, claim: Claim): CallModel {
  return async (...input) => {
    await onPoint('model.calling', claim)
    const reply = await callModel(...input)
    await onPoint('model.answered', claim)
    return reply
  }
}

/**
 * Limits in characters for all earlier prompts combined and for the last summary. The newest
 * prompts take precedence.
 */
const MAX_PROMPTS = 12_000
const MAX_SUMMARY = 4_000

/**
 * Returns a description of the earlier runs for a follow-up's model, as quoted data; undefined for
 * a first run.
 */
export function describeEarlier(earlier: Earlier | null): string | undefined {
  if (earlier === null) return undefined
  const { prompts, summary, branch } = earlier
  const where = branch
    ? `This is a follow-up. The files are those of the branch ${branch.name}. They contain your earlier work and any commits that users added on top of it. Keep those commits. Your changes are added to the same pull request.`
    : 'This is a follow-up. Nothing has been changed yet.'
  return [
    where,
    'Earlier requests, oldest first, quoted:',
    ...keepNewest(prompts).map(
      (prompt, index) => `<earlier_request number="${index + 1}">\n${prompt}\n</earlier_request>`,
    ),
    ...(summary ? [`Your last reply, quoted:\n<earlier_answer>\n${cut(summary, MAX_SUMMARY)}\n</earlier_answer>`] : []),
  ].join('\n')
}

function keepNewest(prompts: readonly string[]): string[] {
  const kept: string[] = []
  let remaining = MAX_PROMPTS
  for (const prompt of prompts.toReversed()) {
    if (remaining <= 0) break
    kept.unshift(cut(prompt, remaining))
    remaining -= prompt.length
  }
  return kept
}

const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max).toWellFormed()}\n[… shortened]`
