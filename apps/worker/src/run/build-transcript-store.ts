import { listOmissions } from '@corrigenda/agent/loop'
import type { StoredRow, TranscriptRow, TranscriptStore, TurnUsage } from '@corrigenda/agent/model'
import { findToolCall, toCallSubject } from '@corrigenda/contracts'
import { describeSpent, describeSpentBudget, type ProjectSpend } from '@corrigenda/core/budgets'
import type { Fence, NewTranscriptRow, RunState, Turn } from '@corrigenda/core/runs'
import { listPendingMessages, saveTurn } from '@corrigenda/core/runs'
import { redactValue } from '@corrigenda/git/text'
import type { WorkTree } from '@corrigenda/git/work-tree'
import type { InstructionRecord } from './build-instruction-record.ts'
import type { WorkerDeps } from './worker-deps.ts'

const MAX_TEXT = 300
const NO_SUBJECT = { subject: null, target: null, source: null }

interface RunTranscriptStore extends Required<TranscriptStore> {
  /** Returns a message about the monthly budget that is used up, or null if none is. */
  describeSpentBudget(): Promise<string | null>
}

/**
 * Builds the Postgres store for a run's transcript. Each append is one fenced transaction that
 * also saves the work tree changes since the last append, so that a worker that takes over reads a
 * consistent set of messages and files.
 */
export function buildTranscriptStore(
  deps: Pick<WorkerDeps, 'prisma' | 'onPoint' | 'secrets' | 'log' | 'monthlyBudgetUsd'>,
  input: {
    fence: Fence
    projectId: string
    workTree: WorkTree
    state: RunState
    instructions: InstructionRecord
  },
): RunTranscriptStore {
  const instanceBudgetUsd = deps.monthlyBudgetUsd
  /** The cost that the last append has counted. */
  let counted: number | null = null
  /** The spend that the last append has returned, until a budget check has used it. */
  let spend: ProjectSpend | null = null
  let hasBudget = true
  /** True unless the last append has found no message. */
  let hasMessages = true
  return {
    load: async () => toStoredRows(input.state),
    listMessages: async () => (hasMessages ? listPendingMessages(deps.prisma, input.fence.jobId) : []),
    append: async (rows, usage, delivers = [], budgetCostUsd = null) => {
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
        events: [...shown, ...rows.flatMap(({ row }) => toEvents(row, deps.secrets))],
      })
      counted = budgetCostUsd
      hasMessages = saved.hasMessages
      spend = saved.spend
      hasBudget = spend.project.budgetUsd !== null || spend.instance.budgetUsd !== null
      if (saved.warning !== null) deps.log.warn(saved.warning, 'the instance has spent 80 % of its monthly budget')
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
 * Returns the job events for a message: prompts that the model received in part, the model's text,
 * and each tool call with its subject.
 */
function toEvents(row: TranscriptRow, secrets: readonly string[]): Turn['events'] {
  // Redacts before truncating, because a truncated credential is not recognized.
  const show = (text: string, max: number) => redactValue(text, secrets).slice(0, max)
  if (row.role === 'user') {
    return listOmissions(row.content).map((data): Turn['events'][number] => ({ type: 'prompt.shortened', data }))
  }
  if (row.role !== 'assistant') return []
  return row.content.flatMap((block): Turn['events'] => {
    if (block.type === 'text' && block.text.trim() !== '') {
      return [{ type: 'agent.said', data: { text: show(block.text.trim(), MAX_TEXT) } }]
    }
    if (block.type !== 'tool_use') return []
    const call = findToolCall(block)
    const { subject, target, source } = call === null ? NO_SUBJECT : toCallSubject(call)
    return [
      {
        type: 'tool.called',
        data: {
          tool: show(block.name, 64),
          subject: subject === null ? null : show(subject, 120),
          ...(target === null ? {} : { target: show(target, 120) }),
          ...(source === null ? {} : { source: show(source, 64) }),
        },
      },
    ]
  })
}
