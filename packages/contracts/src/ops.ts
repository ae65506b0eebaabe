import { z } from 'zod'
import { JobStatus } from './agent-job.ts'
import { MonthlySpend } from './monthly-spend.ts'

const timestamp = z.iso.datetime({ precision: 3 })
const count = z.number().int().nonnegative()

/** Queue backend. */
export const QueueKind = z.enum(['redis', 'postgres'])
export type QueueKind = z.infer<typeof QueueKind>

/**
 * A worker's model endpoint: Anthropic's API, the demo's scripted model, or another URL with the
 * same protocol.
 */
export const ModelKind = z.enum(['anthropic', 'rehearsal', 'other'])
export type ModelKind = z.infer<typeof ModelKind>

/**
 * A worker counts as online for this many seconds after its last heartbeat. A worker sends three
 * heartbeats in that time. A page that polls every 2.5 seconds shows a change within 15 seconds.
 */
export const WORKER_ALIVE_SECONDS = 12

/**
 * A worker process. Its record is removed when the worker shuts down cleanly, or after a day
 * without a heartbeat.
 */
export const OpsWorker = z.object({
  id: z.string(),
  host: z.string(),
  pid: z.number().int(),
  version: z.string(),
  /** Maximum number of concurrent jobs. */
  slots: z.number().int().positive(),
  /** Number of running jobs. */
  busy: count,
  startedAt: timestamp,
  seenAt: timestamp,
  alive: z.boolean(),
  queue: QueueKind,
  model: z.object({
    kind: ModelKind,
    /** Base URL without credentials. */
    baseUrl: z.string(),
    /** Ids of the models that the worker is configured for. Empty if only jobs name models. */
    names: z.array(z.string()),
  }),
})
export type OpsWorker = z.infer<typeof OpsWorker>

/** State of the service, for admins. Response to GET /dashboard/api/ops. */
export const OpsState = z.object({
  /** Workers, newest first. */
  workers: z.array(OpsWorker),
  queue: z.object({
    /** The queue to which the API adds entries. */
    backend: QueueKind,
    reachable: z.boolean(),
    /** Runs that no worker has claimed. */
    waiting: count,
    /** Runs that a worker has claimed. */
    active: count,
    /** Number of seconds since the oldest waiting run became due; null if no run is waiting. */
    oldestWaitingSeconds: count.nullable(),
  }),
  /** Jobs that ended in the last 24 hours. */
  last24h: z.object({ completed: count, failed: count, cancelled: count }),
  /** Failures in the last 24 hours by code, most frequent first. */
  failures: z.array(
    z.object({ code: z.string(), count, lastJobId: z.string(), lastProjectId: z.string(), lastAt: timestamp }),
  ),
  /** Jobs created per project in the current window, highest usage first; at most 50 projects. */
  rates: z.array(
    z.object({
      projectId: z.string(),
      name: z.string(),
      limit: z.number().int().positive(),
      used: count,
      windowSeconds: z.number().int().positive(),
    }),
  ),
  /** Model cost of all projects, and the instance's budget. */
  monthlySpend: MonthlySpend,
  version: z.string(),
  migrations: z.object({
    applied: count,
    /** Names of this version's migrations that have not been applied to the database. */
    pending: z.array(z.string()),
  }),
})
export type OpsState = z.infer<typeof OpsState>

/** A project's setup progress. Response to GET /dashboard/api/projects/{projectId}/welcome. */
export const SetupProgress = z.object({
  /** `passed`: the last test passed, or a job has read the repository. */
  repository: z.enum(['passed', 'untested', 'failed']),
  model: z.enum(['ready', 'rehearsal', 'no_worker']),
  /** True if a valid key exists. */
  key: z.boolean(),
  /** The first job. */
  job: z.object({ id: z.string(), status: JobStatus, prLink: z.url().nullable() }).nullable(),
})
export type SetupProgress = z.infer<typeof SetupProgress>
