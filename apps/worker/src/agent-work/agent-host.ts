import type { AgentDeps, WholeChange } from '@corrigenda/agent/loop'
import type { CallModel, StoredRow, TranscriptStore } from '@corrigenda/agent/model'
import type { AgentSource } from '@corrigenda/agent/sources'
import type { NewJobEvent, Usage } from '@corrigenda/contracts'
import type { Workspace } from '@corrigenda/git/workspace'

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
