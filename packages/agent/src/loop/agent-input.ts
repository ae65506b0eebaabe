import type { CheckResult, Evidence, Usage } from '@corrigenda/contracts'
import type { Workspace } from '@corrigenda/git/workspace'
import type { CheckDocs } from '@corrigenda/site/checks'
import type { PageReader } from '@corrigenda/site/thread'
import { type CallModel, MAX_CALLS } from '../model/model-call.ts'
import type { PriceTable } from '../model/to-cost.ts'
import type { TranscriptStore } from '../model/transcript.ts'
import type { PathPolicy } from '../policy/path-policy.ts'
import type { AgentSource } from '../sources/agent-source.ts'
import type { WholeChange } from '../tools/find-source-leaks.ts'
import type { FinishOutcome } from '../tools/finish-state.ts'
import type { SourceReads } from '../tools/source-reads.ts'
import type { Tool } from '../tools/tool.ts'
import type { RepositoryFacts } from './build-first-message.ts'
import type { RequestOptions } from './build-request.ts'
import type { Budgets } from './check-budget.ts'
import type { InstructionFile } from './read-instructions.ts'

export interface AgentDeps {
  readonly callModel: CallModel
  /** Default: `ALL_TOOLS`. */
  readonly tools?: readonly Tool[]
  readonly workspace: Workspace
  /** The change of the pull request that a follow-up continues. Default: the change of the workspace. */
  readonly whole?: WholeChange
  readonly transcript: TranscriptStore
  readonly checkDocs: CheckDocs
  /** Reads pages in the thread of the checks, and shares their results. */
  readonly pages: PageReader
  readonly policy: PathPolicy
  /** Repositories that the agent may read, including the documentation repository (`docs`). */
  readonly sources?: readonly AgentSource[]
  readonly prices: PriceTable
  /**
   * Models that may run without a cost budget if they have no price. For any other model without a
   * price, the cost budget assumes the highest price in `prices`.
   */
  readonly modelsWithoutCostBudget?: readonly string[]
  /** Called before each turn. A message about a monthly budget that is used up stops the run. */
  readonly describeSpentBudget?: () => Promise<string | null>
  /** This installation's credentials. A change that contains one of them is rejected. */
  readonly knownSecrets?: readonly string[]
  readonly log?: (message: string, fields: Readonly<Record<string, unknown>>) => void
  readonly now?: () => Date
  /** Called after the step has been stored. A returned promise is awaited. */
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
  /** Marks tool schemas as strict. Disable it for endpoints that do not support strict schemas. */
  readonly strict: boolean
  /** Upper bound on `maxOutput`, which is doubled after a truncated reply. */
  readonly maxOutputLimit: number
  /** Model that takes over in a new conversation after a refusal, or null to stop the run. */
  readonly fallbackModel: string | null
  /**
   * Stops the run when the server reports fewer prompt tokens than were sent, which means that it
   * has silently truncated the prompt. The service enables this check by default.
   */
  readonly truncationCheck: boolean
  /** Prompt size in tokens above which the model is asked to finish. */
  readonly softContextTokens: number
  /** Prompt size in tokens above which a new conversation takes over. */
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
  /** Result of `readInstructions`. */
  readonly instructions: readonly InstructionFile[]
  readonly repository: RepositoryFacts
  readonly budgets: Budgets
  /**
   * Instructions from the project owners that apply to every job. They follow the product's rules
   * in the system prompt.
   */
  readonly projectInstructions?: string
  /**
   * Text from the service, placed before the prompt in a separate block, such as the results of the
   * job's earlier runs.
   */
  readonly extraInstructions?: string
  readonly options?: Partial<AgentOptions>
  /** Returns model-specific options, which override `options`. */
  readonly toModelOptions?: (model: string) => Partial<AgentOptions>
  /** When the run started. The wall-clock budget counts from this time, even after a resume. */
  readonly startedAt: Date
}

export type StopCode =
  | 'budget_turns'
  | 'budget_tokens'
  | 'budget_cost'
  | 'budget_time'
  | 'budget_month'
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
  | 'source_leak'

export type AgentResult =
  | {
      readonly kind: 'finished'
      readonly outcome: FinishOutcome
      /** One line, or null if the model did not provide a title. */
      readonly title: string | null
      /** Markdown without images or HTML. */
      readonly body: string
      /** Evidence, question or reason. May be empty for `changed` and `no_change`. */
      readonly reason: string
      /** Verified lines of sources that support the change. */
      readonly evidence: readonly Evidence[]
      /** Sources that the run has read, other than `docs`. */
      readonly sourcesRead: readonly string[]
      /**
       * Sources, also `docs`, that the run has read, or whose recent changes the first message
       * listed.
       */
      readonly sourcesShown: readonly string[]
      /** What the run has read of its sources. */
      readonly reads: SourceReads
      /** The model that did the work, either the requested model or the fallback. */
      readonly model: string
      readonly checks: CheckResult[]
      readonly usage: Usage
    }
  | {
      readonly kind: 'stopped'
      readonly code: StopCode
      /** One or two sentences for the job owner. */
      readonly message: string
      readonly checks: CheckResult[]
      /** What the run has read of its sources. */
      readonly reads: SourceReads
      readonly usage: Usage
    }
  | {
      /**
       * The model API requested a wait. The caller releases its slot and resumes the run at
       * `retryAt`.
       */
      readonly kind: 'deferred'
      readonly retryAt: Date
      readonly reason: string
      readonly usage: Usage
    }
