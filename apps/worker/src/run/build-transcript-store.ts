import { listQuoted } from '@corrigenda/agent/loop'
import type { StoredRow, TranscriptRow, TurnUsage } from '@corrigenda/agent/model'
import type { NewJobEvent } from '@corrigenda/contracts'
import { describeSpent, describeSpentBudget, type ProjectSpend } from '@corrigenda/core/budgets'
import type { Database } from '@corrigenda/core/db'
import { type Fence, listPendingMessages, type NewTranscriptRow, type RunState, saveTurn } from '@corrigenda/core/runs'
import type { Log } from '@corrigenda/core/runtime'
import { hashObject } from '@corrigenda/git/objects'
import type { WorkTree } from '@corrigenda/git/work-tree'
import type { Workspace } from '@corrigenda/git/workspace'
import type { AgentHost } from '../agent-work/do-agent-work.ts'
import type { OnPoint } from './run-point.ts'

export interface TranscriptDeps extends Pick<Database, 'prisma'> {
  readonly log: Log
  readonly onPoint: OnPoint
  /** Budget of the instance for each calendar month. Null: no budget. */
  readonly monthlyBudgetUsd: number | null
}

/**
 * Builds the Postgres store for a run's transcript. Each append is one fenced transaction that
 * also saves the work tree changes since the last append, so that a worker that takes over reads a
 * consistent set of messages and files.
 */
export function buildTranscriptStore(
  deps: TranscriptDeps,
  input: {
    fence: Fence
    projectId: string
    workTree: WorkTree
    instructions: InstructionRecord
  },
): Pick<AgentHost, 'append' | 'listMessages' | 'describeSpentBudget'> {
  const instanceBudgetUsd = deps.monthlyBudgetUsd
  /** The cost that the last append has counted. */
  let counted: number | null = null
  /** The spend that the last append has returned, until a budget check has used it. */
  let spend: ProjectSpend | null = null
  let hasBudget = true
  /** True unless the last append has found no message. */
  let hasMessages = true
  return {
    listMessages: async () => (hasMessages ? listPendingMessages(deps.prisma, input.fence.jobId) : []),
    append: async (rows, usage, delivers, budgetCostUsd, events) => {
      const shown = await input.instructions.note(rows)
      const files = input.workTree.takeDirty()
      const saved = await saveTurn(deps, input.fence, {
        rows: rows.map(toNewRow),
        files,
        usage,
        ...(budgetCostUsd === null || budgetCostUsd === counted ? {} : { spentUsd: budgetCostUsd }),
        instanceBudgetUsd,
        hasBudget,
        delivers,
        events: [...shown, ...events],
      })
      counted = budgetCostUsd
      hasMessages = saved.hasMessages
      spend = saved.spend
      hasBudget = spend.project.budgetUsd !== null || spend.instance.budgetUsd !== null
      if (saved.warning !== null) deps.log.warn(saved.warning, 'the instance has spent 80% of its monthly budget')
      await deps.onPoint('turn.saved', input.fence)
    },
    async describeSpentBudget() {
      if (spend === null) return describeSpentBudget(deps.prisma, { projectId: input.projectId, instanceBudgetUsd })
      const message = describeSpent(spend)
      // A later check without an append in between reads the spend again.
      spend = null
      return message
    },
  }
}

function toNewRow({ seq, conversation, row }: StoredRow): NewTranscriptRow {
  const base = { seq, conversation, role: row.role, content: row.content }
  if (row.role === 'header') return { ...base, stopReason: null, requestId: null, usage: null }
  const failed = row.failed ? toFailedUsage(row.failed) : null
  if (row.role === 'user') return { ...base, stopReason: null, requestId: null, usage: failed }
  return { ...base, stopReason: row.stopReason, requestId: row.requestId, usage: { ...row.usage, ...failed } }
}

export const toStoredRows = (state: RunState): StoredRow[] => state.rows.map(toStoredRow)

function toStoredRow(stored: NewTranscriptRow): StoredRow {
  const { seq, conversation, role, content, stopReason, requestId, usage } = stored
  const failed = readFailedUsage(usage)
  // These rows are written only by toNewRow above. jsonb preserves the values, and the harness
  // version guards their shape.
  const row = (
    role === 'assistant' ? { role, content, stopReason, requestId, usage, ...failed } : { role, content, ...failed }
  ) as TranscriptRow
  return { seq, conversation, row }
}

/** Returns the usage of failed calls under separate names, to be stored with the reply's usage. */
const toFailedUsage = (failed: TurnUsage): Record<string, number> => ({
  failedInputTokens: failed.inputTokens,
  failedOutputTokens: failed.outputTokens,
  failedCacheReadTokens: failed.cacheReadTokens,
  failedCacheWriteTokens: failed.cacheWriteTokens,
})

function readFailedUsage(usage: NewTranscriptRow['usage']): { failed: TurnUsage } | Record<string, never> {
  if (usage?.failedInputTokens === undefined) return {}
  return {
    failed: {
      inputTokens: usage.failedInputTokens,
      outputTokens: usage.failedOutputTokens ?? 0,
      cacheReadTokens: usage.failedCacheReadTokens ?? 0,
      cacheWriteTokens: usage.failedCacheWriteTokens ?? 0,
    },
  }
}

/**
 * Repository instruction files that the model received in a run: those read at the start and those
 * in folders that the run opened.
 */
export interface InstructionRecord {
  /** Returns the paths in the order the model received them. */
  listPaths(): readonly string[]
  /** Returns an event for each file that appears in these rows for the first time in the run. */
  note(rows: readonly StoredRow[]): Promise<NewJobEvent[]>
}

/**
 * Builds the record from the transcript, so that it lists exactly the files that the model
 * received, even after a resume.
 * @param stored rows from the run's earlier attempts
 */
export function buildInstructionRecord(
  workspace: Pick<Workspace, 'readBase'>,
  stored: readonly StoredRow[],
): InstructionRecord {
  const known = new Map<string, { readonly truncated: boolean }>()
  let isFirst = true
  const read = (rows: readonly StoredRow[]) => {
    const fresh: { path: string; truncated: boolean }[] = []
    for (const { row } of rows) {
      if (row.role === 'user') {
        for (const { path, truncated } of listQuoted(row.content, { isFirst })) {
          if (known.has(path)) continue
          known.set(path, { truncated })
          fresh.push({ path, truncated })
        }
      }
      isFirst = row.role === 'header'
    }
    return fresh
  }
  read(stored)
  return {
    listPaths: () => [...known.keys()],
    async note(rows) {
      const events: NewJobEvent[] = []
      for (const { path, truncated } of read(rows)) {
        const bytes = await workspace.readBase(path)
        const version = bytes === null ? {} : { blob: hashObject('blob', bytes), bytes: bytes.length }
        events.push({ type: 'instructions.read', data: { path, ...version, truncated } })
      }
      return events
    },
  }
}
