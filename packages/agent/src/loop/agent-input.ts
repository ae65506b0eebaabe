import type { CheckResult, Usage } from '@corrigenda/contracts'
import type { Workspace } from '@corrigenda/git/workspace'
import type { CheckDocs } from '@corrigenda/site/checks'
import type { CallModel } from '../model/model-call.ts'
import type { PriceTable } from '../model/to-cost.ts'
import type { TranscriptStore } from '../model/transcript.ts'
import type { PathPolicy } from '../policy/path-policy.ts'
import type { FinishOutcome } from '../tools/finish-state.ts'
import type { Tool } from '../tools/tool.ts'
import type { RepositoryFacts } from './build-first-message.ts'
import type { RequestOptions } from './build-request.ts'
import type { Budgets } from './check-budget.ts'
import type { InstructionFile } from './read-instructions.ts'
import { MAX_CALLS } from './run-tools.ts'

export interface AgentDeps {
  readonly callModel: CallModel
  /** Default: `ALL_TOOLS`. */
  readonly tools?: readonly Tool[]
  readonly workspace: Workspace
  readonly transcript: TranscriptStore
  readonly checkDocs: CheckDocs
  readonly policy: PathPolicy
  readonly prices: PriceTable
  /** Credentials of this installation, which no change may contain. */
  readonly canaries?: readonly string[]
  readonly log?: (message: string, fields: Readonly<Record<string, unknown>>) => void
  readonly now?: () => Date
  /** Told after the step is durable; awaited. */
  readonly onProgress?: (progress: AgentProgress) => void | Promise<void>
}

export type AgentProgress =
  | { readonly type: 'conversation'; readonly conversation: number; readonly reason: string }
  | {
      readonly type: 'turn'
      readonly turn: number
      readonly text: string
      readonly stopReason: string | null
      readonly usage: Usage
    }
  | {
      readonly type: 'tool'
      readonly turn: number
      readonly name: string
      readonly path: string | null
      readonly isError: boolean
    }

export interface AgentOptions extends RequestOptions {
  /** Mark tool schemas as strict. Switch off for endpoints that do not know it. */
  readonly strict: boolean
  /** Most tokens a reply may have once one was cut off; it then has twice the usual ones, up to this. */
  readonly maxOutputLimit: number
  /** Takes over in a new conversation when the model refuses; null: the run stops. */
  readonly fallbackModel: string | null
  /** Stop when the server tells of fewer prompt tokens than there must be: it has cut the prompt without a word. The service asks for it by default. */
  readonly truncationCheck: boolean
  /** Prompt tokens from which the model is asked to come to an end. */
  readonly softContextTokens: number
  /** Prompt tokens from which a new conversation takes over. */
  readonly hardContextTokens: number
}

export const DEFAULT_OPTIONS: AgentOptions = {
  maxOutput: 16_000,
  thinking: 'omit',
  effort: null,
  caching: true,
  parallelCalls: MAX_CALLS,
  maxOutputLimit: 128_000,
  fallbackModel: null,
  truncationCheck: false,
  strict: true,
  softContextTokens: 100_000,
  hardContextTokens: 180_000,
}

export interface AgentInput {
  readonly prompt: string
  readonly model: string
  /** From `readInstructions`. */
  readonly instructions: readonly InstructionFile[]
  readonly repository: RepositoryFacts
  readonly budgets: Budgets
  /** What the project's owners ask for in every job, below our own rules in the system prompt. */
  readonly projectInstructions?: string
  /** Text of the operator, put before the prompt in a block of its own; for example what earlier runs of the job did. */
  readonly extraInstructions?: string
  readonly options?: Partial<AgentOptions>
  /** Over `options`, for one model: what it is limited to. */
  readonly toModelOptions?: (model: string) => Partial<AgentOptions>
  /** When the run began; the wall clock budget counts from here, also over a resume. */
  readonly startedAt: Date
}

export type StopCode =
  | 'budget_turns'
  | 'budget_tokens'
  | 'budget_cost'
  | 'budget_time'
  | 'model_refused'
  | 'model_billing'
  | 'model_unauthorized'
  | 'model_not_found'
  | 'model_bad_request'
  | 'model_bad_reply'
  | 'model_unavailable'
  | 'context_exhausted'
  | 'context_truncated'
  | 'stuck'
  | 'no_finish'
  | 'checks_failed'
  | 'policy_violation'

export type AgentResult =
  | {
      readonly kind: 'finished'
      readonly outcome: FinishOutcome
      /** One line; null when the model gave none. */
      readonly title: string | null
      /** Markdown without images and HTML. */
      readonly body: string
      /** Evidence, question or reason for the other outcomes; may be empty for `changed`. */
      readonly reason: string
      /** Who did the work: the model that was asked for, or the fallback. */
      readonly model: string
      readonly checks: CheckResult[]
      readonly usage: Usage
    }
  | {
      readonly kind: 'stopped'
      readonly code: StopCode
      /** A sentence or two for the owner of the job. */
      readonly message: string
      readonly checks: CheckResult[]
      readonly usage: Usage
    }
  | {
      /** The model API asked for a wait of over a minute: give the slot back and run again then. */
      readonly kind: 'deferred'
      readonly retryAt: Date
      readonly reason: string
      readonly usage: Usage
    }
