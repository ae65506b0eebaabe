import type { Usage } from '@corrigenda/contracts'
import {
  type AgentInput,
  type AgentResult,
  buildPathPolicy,
  type CallModel,
  type Checker,
  formatDiff,
  openWorkTree,
  readInstructions,
  readNavigationFiles,
  runAgent,
  type StoredRow,
  type TranscriptStore,
  WorkspaceError,
  type WorkTree,
} from '@corrigenda/worker/parts'
import type { Attempt } from '../grade/graders.ts'
import type { Task } from '../task/read-tasks.ts'
import { type Tree, toText } from '../task/steps.ts'
import type { Repositories } from './open-repositories.ts'

export interface AttemptDeps {
  readonly repositories: Repositories
  readonly callModel: CallModel
  readonly prices: Parameters<typeof runAgent>[0]['prices']
  readonly budgets: AgentInput['budgets']
  /** Parses pages. Its cache is shared by all attempts. */
  readonly checker: Checker
  readonly toModelOptions?: NonNullable<AgentInput['toModelOptions']>
  /** Credentials that no change may contain. */
  readonly knownSecrets?: readonly string[]
}

interface AttemptReport {
  readonly attempt: Attempt
  readonly base: Tree
  readonly usage: Usage
  /** Wall-clock time in seconds. */
  readonly seconds: number
  /** The change as a unified diff, at most 40,000 characters. */
  readonly diff: string
  /** Rejected tool calls, as `tool path`. */
  readonly refusedCalls: readonly string[]
}

const MAX_DIFF_CHARS = 40_000
/** Maximum size of a page. Larger files are not treated as pages. */
const MAX_FILE_CHARS = 1_048_576

/**
 * Thrown if the model API requests a delay of more than a minute. The attempt counts as neither
 * passed nor failed.
 */
export class DeferredError extends Error {
  constructor(readonly retryAt: Date) {
    super('The model API requires a wait of more than one minute.')
    this.name = 'DeferredError'
  }
}

/**
 * Runs one attempt at a task like a real job, with the product's loop, tools, instructions, checks
 * and policy, in a work tree of a real repository. Does not push.
 * @throws DeferredError, the signal's reason, or a git package error
 */
export async function runAttempt(
  deps: AttemptDeps,
  input: { task: Task; model: string },
  signal: AbortSignal,
): Promise<AttemptReport> {
  const { task, model } = input
  const snapshot = await deps.repositories.openSnapshot(task)
  const workTree = await openWorkTree({ snapshot })
  await using opened = await deps.repositories.openSources(task, workTree, signal)
  const startedAt = new Date()
  const refusedCalls: string[] = []
  const result = await runAgent(
    {
      callModel: deps.callModel,
      workspace: workTree,
      sources: opened.sources,
      transcript: buildTranscript(),
      checkDocs: deps.checker.checkDocs,
      pages: deps.checker.pages,
      policy: buildPathPolicy({ ...task.policy, navigationFiles: await readNavigationFiles(workTree) }),
      prices: deps.prices,
      knownSecrets: deps.knownSecrets ?? [],
      onProgress: (step) => {
        if (step.type === 'tool' && step.isError) refusedCalls.push([step.name, step.path].filter(Boolean).join(' '))
      },
    },
    {
      prompt: opened.prompt,
      model,
      instructions: await readInstructions(workTree),
      repository: { name: 'eval/docs', baseBranch: 'main' },
      budgets: deps.budgets,
      ...(task.earlier === null ? {} : { extraInstructions: task.earlier }),
      ...(deps.toModelOptions === undefined ? {} : { toModelOptions: deps.toModelOptions }),
      startedAt,
    },
    signal,
  )
  if (result.kind === 'deferred') throw new DeferredError(result.retryAt)
  const [base, after] = await readTrees(workTree)
  const changes = await workTree.changes()
  return {
    attempt: toAttempt(result, base, after),
    base,
    usage: result.usage,
    seconds: (Date.now() - startedAt.getTime()) / 1000,
    diff: formatDiff(changes, MAX_DIFF_CHARS),
    refusedCalls,
  }
}

/** Builds the attempt to grade. The product discards edits unless the outcome is `changed`. */
function toAttempt(result: Exclude<AgentResult, { kind: 'deferred' }>, base: Tree, after: Tree): Attempt {
  const problems = result.checks.flatMap(({ name, findings, introduced }) =>
    findings
      .slice(0, introduced)
      .filter(({ advisory }) => advisory !== true)
      .map(({ file, line, message }) => `${file}:${line ?? 0} [${name}] ${message}`),
  )
  if (result.kind === 'stopped') {
    return {
      outcome: 'stopped',
      code: result.code,
      title: '',
      body: '',
      reason: result.message,
      after: base,
      evidence: [],
      problems,
    }
  }
  const { outcome, title, body, reason, evidence } = result
  const kept = outcome === 'changed' ? after : base
  return { outcome, code: null, title: title ?? '', body, reason, after: kept, evidence, problems }
}

/** Builds an in-memory transcript for one attempt. */
function buildTranscript(): TranscriptStore {
  const rows: StoredRow[] = []
  return {
    load: async () => structuredClone(rows),
    append: async (added) => {
      // Gives the rows the shape that they have when read from a database.
      rows.push(...(JSON.parse(JSON.stringify(added)) as StoredRow[]))
    },
  }
}

/** Returns the text files at the start of a task. */
export async function readBaseTree(repositories: Repositories, task: Task): Promise<Tree> {
  const workTree = await openWorkTree({ snapshot: await repositories.openSnapshot(task) })
  return (await readTrees(workTree))[0]
}

/** Returns null if the file does not exist or is too large for the agent to read. */
async function readBounded(workTree: WorkTree, path: string): Promise<Uint8Array | null> {
  try {
    return await workTree.readBase(path)
  } catch (error) {
    if (error instanceof WorkspaceError && error.code === 'too_large') return null
    throw error
  }
}

/** Returns the text files at the base commit and in the work tree. */
async function readTrees(workTree: WorkTree): Promise<[Tree, Tree]> {
  const base = new Map<string, string>()
  for (const { path, kind } of await workTree.listBase()) {
    if (kind !== 'file') continue
    const bytes = await readBounded(workTree, path)
    if (bytes !== null && bytes.length <= MAX_FILE_CHARS) base.set(path, toText(bytes))
  }
  const after = new Map(base)
  for (const { path, after: bytes } of await workTree.changes()) {
    if (bytes === null) after.delete(path)
    else after.set(path, toText(bytes))
  }
  return [base, after]
}
