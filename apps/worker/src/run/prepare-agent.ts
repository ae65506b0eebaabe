import { type AgentDeps, type AgentInput, readInstructions, toPolicyInstructions } from '@corrigenda/agent/loop'
import type { CallModel } from '@corrigenda/agent/model'
import { buildReadableView, findLocales, type Locales, readConfiguredLocales } from '@corrigenda/agent/policy'
import type { AgentSource } from '@corrigenda/agent/sources'
import { type RunSettings, toRunSettings } from '@corrigenda/core/projects'
import type { Claim } from '@corrigenda/core/runs'
import { readNavigationFiles } from '@corrigenda/site/sites'
import type { InstructionRecord } from './build-instruction-record.ts'
import { buildTranscriptStore } from './build-transcript-store.ts'
import { describeEarlier } from './describe-earlier.ts'
import type { PreparedRun } from './prepare-run.ts'
import { needsLocales, toRunBudgets, toRunPolicy } from './to-run-policy.ts'
import type { WorkerDeps } from './worker-deps.ts'

/**
 * Builds the agent's input for a run: the transcript and work tree from earlier attempts, the most
 * restrictive policy and budgets that apply, and the repository's instructions.
 */
export async function prepareAgent(
  deps: WorkerDeps,
  claim: Claim,
  prepared: PreparedRun,
  { record, sources }: { record: InstructionRecord; sources: readonly AgentSource[] },
): Promise<{ agentDeps: AgentDeps; agentInput: AgentInput }> {
  const { workTree, repository, baseBranch, state, policyFiles } = prepared
  const settings = toRunSettings(claim.settings)
  const locales = await readLocales(settings, prepared)
  const navigationFiles = await readNavigationFiles(workTree)
  const policy = toRunPolicy(settings, { files: policyFiles, locales, navigationFiles })
  const instructions = [
    ...toPolicyInstructions(policyFiles),
    ...(await readInstructions(buildReadableView(workTree, policy))),
  ]
  const earlier = describeEarlier(claim.earlier)
  const { projectId } = claim
  const transcript = buildTranscriptStore(deps, { fence: claim, projectId, workTree, state, instructions: record })
  const agentDeps: AgentDeps = {
    callModel: withPoints(deps, claim),
    workspace: workTree,
    transcript,
    checkDocs: deps.checker.checkDocs,
    pages: deps.checker.pages,
    policy,
    sources,
    prices: deps.prices,
    modelsWithoutCostBudget: deps.modelsWithoutCostBudget,
    describeSpentBudget: () => transcript.describeSpentBudget(),
    knownSecrets: deps.secrets,
    log: (message, fields) => deps.log.info({ ...fields, runId: claim.runId }, message),
  }
  const agentInput: AgentInput = {
    prompt: claim.prompt,
    model: claim.model,
    instructions,
    repository: { name: repository.path, baseBranch },
    budgets: toRunBudgets(deps.budgets, settings, policyFiles),
    ...(deps.toModelOptions ? { toModelOptions: deps.toModelOptions } : {}),
    projectInstructions: settings.policy.instructions,
    ...(earlier === undefined ? {} : { extraInstructions: earlier }),
    startedAt: new Date(Date.now() - claim.workedMs),
  }
  return { agentDeps, agentInput }
}

/** Returns the base commit's locales; empty if no policy restricts translations. */
async function readLocales(settings: RunSettings, { workTree, policyFiles }: PreparedRun): Promise<Locales> {
  if (!needsLocales(settings, policyFiles)) return findLocales([])
  const paths = (await workTree.listBase()).map(({ path }) => path)
  return findLocales(paths, await readConfiguredLocales(workTree))
}

function withPoints({ callModel, onPoint }: WorkerDeps, claim: Claim): CallModel {
  return async (...input) => {
    await onPoint('model.calling', claim)
    const reply = await callModel(...input)
    await onPoint('model.answered', claim)
    return reply
  }
}
