import { type AgentDeps, type AgentOptions, DEFAULT_OPTIONS, type WholeChange } from '@corrigenda/agent/loop'
import type { CallModel } from '@corrigenda/agent/model'
import type { AgentSource } from '@corrigenda/agent/sources'
import { toRunSettings } from '@corrigenda/core/projects'
import type { Earlier } from '@corrigenda/core/runs'
import type { AgentHost, AgentTask } from '../agent-work/do-agent-work.ts'
import { toRunBudgets } from '../agent-work/to-run-policy.ts'
import type { Budgets } from '../config/config.ts'
import {
  buildInstructionRecord,
  buildTranscriptStore,
  type InstructionRecord,
  type TranscriptDeps,
  toStoredRows,
} from './build-transcript-store.ts'
import type { PreparedRun } from './prepare-run.ts'
import { mayAsk } from './run-failure.ts'

export interface PrepareAgentDeps extends TranscriptDeps {
  readonly callModel: CallModel
  /** Returns the agent options for a model. If omitted, the agent's defaults apply. */
  readonly toModelOptions?: (model: string) => Partial<AgentOptions>
  readonly prices: AgentDeps['prices']
  /** The models that the operator configured. See `AgentDeps.modelsWithoutCostBudget`. */
  readonly modelsWithoutCostBudget: readonly string[]
  /** The service's budgets. A project's budgets can only be tighter. */
  readonly budgets: Budgets
  readonly secrets: readonly string[]
}

/** Instruction for the agent of a job that a question fails. */
const NO_QUESTIONS =
  'The person who made this request cannot answer questions, so needs_input fails this job. If a fact is missing, do the part of the request that does not need it. If nothing can be done without it, finish with impossible and explain what is missing.'

/**
 * Builds the agent's task for a run, from the transcript and work tree of earlier attempts and the
 * most restrictive budgets that apply, and the functions of the worker that the agent may use.
 */
export function prepareAgent(
  deps: PrepareAgentDeps,
  prepared: PreparedRun,
  { sources, whole }: { sources: readonly AgentSource[]; whole: WholeChange | null },
): { task: AgentTask; host: AgentHost; record: InstructionRecord } {
  const { claim, workTree, repository, baseBranch, state, policyFiles, expected } = prepared
  const settings = toRunSettings(claim.settings)
  const { projectId, model } = claim
  const rows = toStoredRows(state)
  const record = buildInstructionRecord(workTree, rows)
  const models = [model, ...rows.flatMap(({ row }) => (row.role === 'header' ? [row.content.model] : []))]
  const instructions = [describeEarlier(claim.earlier), mayAsk(claim) ? null : NO_QUESTIONS]
  const task: AgentTask = {
    prompt: claim.prompt,
    model,
    repository: { name: repository.path, baseBranch },
    settings,
    policyFiles,
    budgets: toRunBudgets(deps.budgets, settings, policyFiles),
    rows,
    modelOptions: listModelOptions(deps, models),
    extraInstructions: instructions.filter((text) => text !== null).join('\n\n'),
    startedAt: new Date(Date.now() - claim.workedMs),
    prices: deps.prices,
    modelsWithoutCostBudget: deps.modelsWithoutCostBudget,
    knownSecrets: deps.secrets,
    keepsPartialChanges: expected === null,
  }
  const host: AgentHost = {
    ...buildTranscriptStore(deps, { fence: claim, projectId, workTree, instructions: record }),
    workspace: workTree,
    whole,
    sources,
    async callModel(...input) {
      await deps.onPoint('model.calling', claim)
      const reply = await deps.callModel(...input)
      await deps.onPoint('model.answered', claim)
      return reply
    },
    log: async (message, fields) => deps.log.info({ ...fields, runId: claim.runId }, message),
    toolStarted: async () => {},
    toolEnded: async () => {},
  }
  return { task, host, record }
}

/** Returns the options of these models and of their fallbacks. */
function listModelOptions({ toModelOptions }: PrepareAgentDeps, models: readonly string[]): AgentTask['modelOptions'] {
  if (toModelOptions === undefined) return {}
  const fallbacks = models.map((model) => toModelOptions(model).fallbackModel ?? DEFAULT_OPTIONS.fallbackModel)
  const all = [...models, ...fallbacks.filter((model) => model !== null)]
  return Object.fromEntries(all.map((model) => [model, toModelOptions(model)]))
}

/**
 * Limits in characters for all earlier prompts combined and for the last summary. The newest
 * prompts take precedence.
 */
const MAX_PROMPTS = 12_000
const MAX_SUMMARY = 4_000

/**
 * Returns a description of the earlier runs for a follow-up's model, as quoted data; null for a
 * first run.
 */
function describeEarlier(earlier: Earlier | null): string | null {
  if (earlier === null) return null
  const { prompts, summary, branch } = earlier
  const where = branch
    ? `This is a follow-up. The files are those of the branch ${branch.name}. They contain your earlier work and any commits that users added on top of it. Keep those commits. Your changes are added to the same pull request.`
    : 'This is a follow-up. Nothing has been changed yet.'
  const quoted = keepNewest(prompts).map(
    (prompt, index) => `<earlier_request number="${index + 1}">\n${prompt}\n</earlier_request>`,
  )
  const lines = [where, 'Earlier requests, oldest first, quoted:', ...quoted]
  if (summary) lines.push(`Your last reply, quoted:\n<earlier_answer>\n${cut(summary, MAX_SUMMARY)}\n</earlier_answer>`)
  return lines.join('\n')
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
