import type { AgentDeps } from '@corrigenda/agent/loop'
import type { CallModel, TranscriptStore } from '@corrigenda/agent/model'
import type { AgentSource } from '@corrigenda/agent/sources'
import type { Workspace } from '@corrigenda/git/workspace'

/**
 * What the agent's work needs from the worker. The work runs in a thread without credentials or
 * environment variables, so every function is asynchronous and takes and returns plain data.
 */
export interface AgentHost {
  readonly workspace: Workspace
  readonly sources: readonly AgentSource[]
  readonly callModel: CallModel
  readonly append: TranscriptStore['append']
  readonly listMessages: NonNullable<TranscriptStore['listMessages']>
  readonly describeSpentBudget: NonNullable<AgentDeps['describeSpentBudget']>
  log(message: string, fields: Readonly<Record<string, unknown>>): Promise<void>
  /** Called when a tool starts and ends, for traces. `call` is unique within the run. */
  toolStarted(call: number, tool: string): Promise<void>
  /** @param error name of the error class; null if the tool succeeded */
  toolEnded(call: number, error: string | null): Promise<void>
}
