import {
  type AgentDeps,
  type AgentOptions,
  type AgentResult,
  ALL_TOOLS,
  type Budgets,
  buildRelease,
  findLeakingPaths,
  type Release,
  readInstructions,
  runAgent,
  toPolicyInstructions,
  verifyFinished,
  type WholeChange,
} from '@corrigenda/agent/loop'
import type { CallModel, SourcesRead, StoredRow, TranscriptStore } from '@corrigenda/agent/model'
import {
  buildReadableView,
  type Flag,
  findCodeOwners,
  findFlags,
  findLocales,
  listAddedCode,
  readConfiguredLocales,
} from '@corrigenda/agent/policy'
import type { AgentSource } from '@corrigenda/agent/sources'
import type { NewJobEvent, RunPolicyFile, Usage } from '@corrigenda/contracts'
import type { RunSettings } from '@corrigenda/core/projects'
import { redactValue } from '@corrigenda/git/text'
import { countChangedLines, readLines, type Workspace } from '@corrigenda/git/workspace'
import { type Checker, matchRenames } from '@corrigenda/site/checks'
import { readNavigationFiles } from '@corrigenda/site/sites'
import { buildRunEvents } from './run-events.ts'
import { needsLocales, toRunPolicy } from './to-run-policy.ts'

/** The agent's work on one run, as plain data. */
export interface AgentTask {
  readonly prompt: string
  readonly model: string
  readonly repository: { readonly name: string; readonly baseBranch: string }
  readonly settings: RunSettings
  readonly policyFiles: readonly RunPolicyFile[]
  readonly budgets: Budgets
  /** The transcript of the run's earlier attempts. */
  readonly rows: readonly StoredRow[]
  /** By model id. Covers the requested model, its fallback, and the models of `rows`. */
  readonly modelOptions: Readonly<Record<string, Partial<AgentOptions>>>
  /** See `AgentInput.extraInstructions`. May be empty. */
  readonly extraInstructions: string
  readonly startedAt: Date
  readonly prices: AgentDeps['prices']
  readonly modelsWithoutCostBudget: readonly string[]
  readonly knownSecrets: readonly string[]
  /** Whether the edits of a run that fails are stored with its job. */
  readonly keepsPartialChanges: boolean
}

export interface AgentWork {
  /** Redacted, because the job record stores the model's text for every outcome. */
  readonly result: AgentResult
  /** Why a finished change must not be published; null if it may be. */
  readonly fault: Awaited<ReturnType<typeof verifyFinished>>
  /** Facts for the reviewer of a change that may be published; otherwise null. */
  readonly review: ChangeReview | null
  /**
   * Null unless the edits are stored with the failed job. `hidden` lists the files that must not be
   * stored, because they contain text of private sources.
   */
  readonly partialChanges: { readonly hidden: readonly string[] } | null
}

/** What the description of a pull request states about its change. */
export interface ChangeReview {
  readonly changes: readonly {
    readonly path: string
    /** Path before the change, if the file was moved. */
    readonly previousPath?: string
    readonly kind: 'added' | 'modified' | 'deleted'
    readonly added: number
    readonly removed: number
  }[]
  readonly code: Awaited<ReturnType<typeof listAddedCode>>
  readonly flags: readonly Flag[]
  readonly owners: Awaited<ReturnType<typeof findCodeOwners>>
}

/**
 * Does everything in a run that reads text of repositories, prompts, and models: reads the sites,
 * policies, and instructions, runs the agent with its tools and checks, verifies the finished
 * change, and collects the facts for its reviewer.
 * @throws errors of `host` and of `runAgent`
 */
export async function doAgentWork(
  task: AgentTask,
  host: AgentHost,
  checker: Checker,
  signal: AbortSignal,
): Promise<AgentWork> {
  const { workspace, sources } = host
  const { settings, policyFiles, knownSecrets } = task
  const locales = needsLocales(settings, policyFiles) ? await readLocales(workspace) : findLocales([])
  const navigationFiles = await readNavigationFiles(workspace)
  const policy = toRunPolicy(settings, { files: policyFiles, locales, navigationFiles })
  const instructions = [
    ...toPolicyInstructions(policyFiles),
    ...(await readInstructions(buildReadableView(workspace, policy))),
  ]
  const whole = host.whole === null ? {} : { whole: host.whole }
  const release = buildRelease({ workspace, ...whole, sources })
  const listEvents = buildRunEvents(task.rows, release, knownSecrets)
  const agentDeps: AgentDeps = {
    callModel: host.callModel,
    tools: reportTools(host),
    workspace,
    ...whole,
    transcript: {
      load: async () => task.rows,
      append: async (rows, usage, delivers = [], budgetCostUsd = null, reads = {}) =>
        await host.append(rows, usage, delivers, budgetCostUsd, await listEvents(rows, reads)),
      listMessages: host.listMessages,
    },
    checkDocs: checker.checkDocs,
    pages: checker.pages,
    policy,
    sources,
    prices: task.prices,
    modelsWithoutCostBudget: task.modelsWithoutCostBudget,
    describeSpentBudget: host.describeSpentBudget,
    knownSecrets,
    log: (message, fields) => void host.log(message, fields).catch(() => {}),
  }
  const agentInput = {
    prompt: task.prompt,
    model: task.model,
    instructions,
    repository: task.repository,
    budgets: task.budgets,
    toModelOptions: (model: string) => task.modelOptions[model] ?? {},
    projectInstructions: settings.policy.instructions,
    ...(task.extraInstructions === '' ? {} : { extraInstructions: task.extraInstructions }),
    startedAt: task.startedAt,
  }
  const stopReading = checker.prepare(workspace)
  const raw = await runAgent(agentDeps, agentInput, signal).finally(stopReading)
  const result = await withholdText(redactValue(raw, knownSecrets), release)
  const isChange = result.kind === 'finished' && result.outcome === 'changed'
  const found = isChange ? await verifyFinished(agentDeps, result) : null
  const fault = isChange && found !== null ? { ...found, message: await releaseMessage(found, result, release) } : null
  const failure = result.kind === 'stopped' ? result.code : fault?.code
  const isStored = failure !== undefined && failure !== 'source_leak' && task.keepsPartialChanges
  const hasEdits = isStored && (await workspace.changes()).length > 0
  return {
    result,
    fault,
    review: isChange && fault === null ? await reviewChange(workspace, settings) : null,
    partialChanges:
      hasEdits && result.kind !== 'deferred'
        ? { hidden: [...(await findLeakingPaths(agentDeps, result.reads))] }
        : null,
  }
}

/** Returns a result without texts for the job record that repeat a private source. */
async function withholdText(result: AgentResult, release: Release): Promise<AgentResult> {
  if (result.kind === 'deferred') return result
  if (result.kind === 'stopped') return { ...result, message: await releaseMessage(result, result, release) }
  const [reason = ''] = await release([result.reason], result.reads, 'text')
  return { ...result, reason }
}

async function releaseMessage(
  { message }: { readonly message: string },
  { reads }: { readonly reads: SourcesRead },
  release: Release,
): Promise<string> {
  const [shown = ''] = await release([message], reads, 'message')
  return shown
}

async function readLocales(workspace: Workspace) {
  const paths = (await workspace.listBase()).map(({ path }) => path)
  return findLocales(paths, await readConfiguredLocales(workspace))
}

/** Collects the facts of a change for its reviewer. */
export async function reviewChange(workspace: Workspace, { policy }: RunSettings): Promise<ChangeReview> {
  const changes = await workspace.changes()
  const moves = matchRenames(changes)
  const sources = new Map(
    changes.flatMap((change) => (moves.has(change.path) ? [[moves.get(change.path), change] as const] : [])),
  )
  return {
    changes: changes.flatMap(({ path, kind, before, after }) => {
      if (moves.has(path)) return []
      const source = sources.get(path)
      const { added, removed } = countChangedLines(readLines(source?.before ?? before) ?? [], readLines(after) ?? [])
      return [{ path, ...(source && { previousPath: source.path }), kind, added, removed }]
    }),
    code: await listAddedCode(workspace),
    flags: findFlags(changes),
    owners: policy.codeownersReviewers ? await findCodeOwners(workspace, changes) : [],
  }
}

/** Reports the start and the end of each tool call. */
function reportTools(host: AgentHost): typeof ALL_TOOLS {
  let calls = 0
  return ALL_TOOLS.map((tool) => ({
    ...tool,
    async call(context, input) {
      calls += 1
      const call = calls
      const end = (error: string | null) => void host.toolEnded(call, error).catch(() => {})
      void host.toolStarted(call, tool.name).catch(() => {})
      try {
        const output = await tool.call(context, input)
        end(null)
        return output
      } catch (error) {
        end(error instanceof Error ? error.name : 'Error')
        throw error
      }
    },
  }))
}

/**
 * What the agent's work needs from the worker. The work runs in a thread without credentials or
 * environment variables, so every function is asynchronous and takes and returns plain data.
 */
export interface AgentHost {
  readonly workspace: Workspace
  /** The change of the pull request that a follow-up continues; null for other runs. */
  readonly whole: WholeChange | null
  readonly sources: readonly AgentSource[]
  readonly callModel: CallModel
  /** As `TranscriptStore.append`, with the events of the rows. */
  append(
    rows: readonly StoredRow[],
    usage: Usage,
    delivers: readonly string[],
    budgetCostUsd: number | null,
    events: readonly NewJobEvent[],
  ): Promise<void>
  readonly listMessages: NonNullable<TranscriptStore['listMessages']>
  readonly describeSpentBudget: NonNullable<AgentDeps['describeSpentBudget']>
  log(message: string, fields: Readonly<Record<string, unknown>>): Promise<void>
  /** Called when a tool starts and ends, for traces. `call` is unique within the run. */
  toolStarted(call: number, tool: string): Promise<void>
  /** @param error name of the error class; null if the tool succeeded */
  toolEnded(call: number, error: string | null): Promise<void>
}
