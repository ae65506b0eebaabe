import { DEFAULT_OPTIONS, type WholeChange } from '@corrigenda/agent/loop'
import type { CallModel } from '@corrigenda/agent/model'
import type { AgentSource } from '@corrigenda/agent/sources'
import { toRunSettings } from '@corrigenda/core/projects'
import type { Claim } from '@corrigenda/core/runs'
import type { AgentHost } from '../agent-work/agent-host.ts'
import type { AgentTask } from '../agent-work/do-agent-work.ts'
import { toRunBudgets } from '../agent-work/to-run-policy.ts'
import type { InstructionRecord } from './build-instruction-record.ts'
import { buildTranscriptStore, toStoredRows } from './build-transcript-store.ts'
import { describeEarlier } from './describe-earlier.ts'
import { mayAsk, NO_QUESTIONS } from './may-ask.ts'
import type { PreparedRun } from './prepare-run.ts'
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
