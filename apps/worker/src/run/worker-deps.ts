import type { AgentDeps, AgentOptions } from '@corrigenda/agent/loop'
import type { CallModel } from '@corrigenda/agent/model'
import type { Database } from '@corrigenda/core/db'
import type { RunQueue } from '@corrigenda/core/queue'
import type { Log } from '@corrigenda/core/runtime'
import type { HttpPolicy } from '@corrigenda/git/mirror'
import type { Mirrors } from '@corrigenda/git/snapshot'
import type { Checker } from '@corrigenda/site/checks'
import type { Budgets } from '../config/config.ts'
import type { Credentials } from '../git-host/credentials.ts'
import type { OpenGitHost } from '../git-host/git-host.ts'
import type { OnPoint } from './run-point.ts'
import type { HeldRuns } from './watch-held-runs.ts'

/** What working on a run needs. Times in seconds. */
export interface WorkerDeps extends Pick<Database, 'prisma'> {
  readonly queue: RunQueue
  readonly log: Log
  /** Names this process in leases. */
  readonly owner: string
  readonly leaseSeconds: number
  readonly maxAttempts: number
  readonly projectConcurrency: number
  /** The runs in hand, watched for cancels. */
  readonly held: HeldRuns
  /** Told how far a run has come; only crash tests listen. */
  readonly onPoint: OnPoint
  /** Aborted when the process is asked to end. */
  readonly shutdown: AbortSignal
  readonly mirrors: Mirrors
  readonly credentials: Credentials
  readonly openGitHost: OpenGitHost
  /** Deadlines and repetitions of pushes. */
  readonly gitHttp: HttpPolicy
  readonly callModel: CallModel
  /** Checks the documentation; what it parsed is shared by all runs of the process. */
  readonly checker: Checker
  /** How to talk to a model. Default: as the agent does by itself. */
  readonly toModelOptions?: (model: string) => Partial<AgentOptions>
  readonly prices: AgentDeps['prices']
  /** Of the service; those of a project can only be tighter. */
  readonly budgets: Budgets
  readonly allowedRepositoryHosts: readonly string[]
  /** Where callers reach the API, without a final slash; null when nobody said. */
  readonly publicUrl: string | null
  /** Values that must appear in no change and no text of ours. */
  readonly secrets: readonly string[]
}
