import type { AgentDeps, AgentOptions } from '@corrigenda/agent/loop'
import type { CallModel } from '@corrigenda/agent/model'
import type { Database } from '@corrigenda/core/db'
import type { SigningKey } from '@corrigenda/core/instance'
import type { RunQueue } from '@corrigenda/core/queue'
import type { Claim } from '@corrigenda/core/runs'
import type { Log } from '@corrigenda/core/runtime'
import type { Tracer } from '@corrigenda/core/tracing'
import type { HttpPolicy } from '@corrigenda/git/mirror'
import type { Mirrors } from '@corrigenda/git/snapshot'
import type { RunAgentWork } from '../agent-work/open-agent-threads.ts'
import type { Budgets } from '../config/config.ts'
import type { Credentials } from '../git-host/credentials.ts'
import type { OpenGitHost } from '../git-host/git-host.ts'
import type { HeldRuns } from './hold-run.ts'
import type { OnPoint } from './run-point.ts'

/** Dependencies for working on a run. Times are in seconds. */
export interface WorkerDeps extends Pick<Database, 'prisma'> {
  readonly queue: RunQueue
  readonly log: Log
  /** Name of this process in leases. */
  readonly owner: string
  readonly leaseSeconds: number
  readonly maxAttempts: number
  readonly projectConcurrency: number
  /** See ClaimRules. */
  readonly replacedModels?: Readonly<Record<string, string>>
  /** Runs that this process holds, watched for cancellations. */
  readonly held: HeldRuns
  /** Called when a run reaches a `RunPoint`. Used only by crash tests. */
  readonly onPoint: OnPoint
  /** Called with each claim, for the metrics. */
  readonly onClaim?: (claim: Claim) => void
  /** Aborts when the process shuts down. */
  readonly shutdown: AbortSignal
  readonly mirrors: Mirrors
  readonly credentials: Credentials
  readonly openGitHost: OpenGitHost
  /** Returns the key that signs commits; null if commits are not signed. */
  findSigningKey(): Promise<SigningKey | null>
  /** Deadlines and retries for Git requests other than downloads. */
  readonly gitHttp: HttpPolicy
  readonly callModel: CallModel
  readonly runAgentWork: RunAgentWork
  /** Returns the agent options for a model. If omitted, the agent's defaults apply. */
  readonly toModelOptions?: (model: string) => Partial<AgentOptions>
  readonly prices: AgentDeps['prices']
  /** The models that the operator configured. See `AgentDeps.modelsWithoutCostBudget`. */
  readonly modelsWithoutCostBudget: readonly string[]
  /** The service's budgets. A project's budgets can only be tighter. */
  readonly budgets: Budgets
  /** Budget of the instance for each calendar month. Null: no budget. */
  readonly monthlyBudgetUsd: number | null
  readonly allowedRepositoryHosts: readonly string[]
  /** Public URL of the API, without a trailing slash; null if not configured. */
  readonly publicUrl: string | null
  /** Null or omitted: no traces are recorded. */
  readonly tracer?: Tracer | null
  /** Name of the model's provider in traces (`gen_ai.provider.name`). Default: `anthropic`. */
  readonly modelProvider?: string
  /** Values that must not appear in any change or in anything else the service writes. */
  readonly secrets: readonly string[]
}
