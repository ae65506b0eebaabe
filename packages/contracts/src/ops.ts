import { z } from 'zod'
import { JobStatus } from './agent-job.ts'

const timestamp = z.iso.datetime({ precision: 3 })
const count = z.number().int().nonnegative()

/** Where queue entries travel. */
export const QueueKind = z.enum(['redis', 'postgres'])
export type QueueKind = z.infer<typeof QueueKind>

/** Which model a worker talks to: Anthropic's API, the scripted one of the demo, or another address that speaks the same protocol. */
export const ModelKind = z.enum(['anthropic', 'rehearsal', 'other'])
export type ModelKind = z.infer<typeof ModelKind>

/** A worker is alive when it was seen within so many seconds; it says so three times in that time. A page that asks every other second tells within 15. */
export const WORKER_ALIVE_SECONDS = 12

/** A worker process. It is forgotten at once when it ends in good order, else after a day. */
export const OpsWorker = z.object({
  id: z.string(),
  host: z.string(),
  pid: z.number().int(),
  version: z.string(),
  /** Jobs it takes at the same time. */
  slots: z.number().int().positive(),
  /** Jobs it has in hand. */
  busy: count,
  startedAt: timestamp,
  seenAt: timestamp,
  alive: z.boolean(),
  queue: QueueKind,
  model: z.object({
    kind: ModelKind,
    /** Without credentials. */
    baseUrl: z.string(),
  }),
})
export type OpsWorker = z.infer<typeof OpsWorker>

/** How the service is doing: the answer of GET /dashboard/api/ops, for operators. */
export const OpsState = z.object({
  /** Newest first. */
  workers: z.array(OpsWorker),
  queue: z.object({
    /** What the API itself adds entries to. */
    backend: QueueKind,
    reachable: z.boolean(),
    /** Runs that no worker has in hand. */
    waiting: count,
    /** Runs that a worker has in hand. */
    active: count,
    /** How long the oldest of the waiting has been due; null: none waits. */
    oldestWaitingSeconds: count.nullable(),
  }),
  /** Jobs that ended in the last 24 hours. */
  last24h: z.object({ completed: count, failed: count, cancelled: count }),
  /** Failures of the last 24 hours by code, the most frequent first. */
  failures: z.array(
    z.object({ code: z.string(), count, lastJobId: z.string(), lastProjectId: z.string(), lastAt: timestamp }),
  ),
  /** Job creations of projects in their current window, the most used first; at most 50. */
  rates: z.array(
    z.object({
      projectId: z.string(),
      name: z.string(),
      limit: z.number().int().positive(),
      used: count,
      windowSeconds: z.number().int().positive(),
    }),
  ),
  version: z.string(),
  migrations: z.object({
    applied: count,
    /** Names of those that this version brings and the database lacks. */
    pending: z.array(z.string()),
  }),
})
export type OpsState = z.infer<typeof OpsState>

/** How far a project has come: the answer of GET /dashboard/api/projects/{projectId}/welcome. */
export const Welcome = z.object({
  /** `passed`: the last test passed, or a job has read it. */
  repository: z.enum(['passed', 'untested', 'failed']),
  model: z.enum(['ready', 'rehearsal', 'no_worker']),
  /** Whether there is a key that can be used. */
  key: z.boolean(),
  /** The first job. */
  job: z.object({ id: z.string(), status: JobStatus, prLink: z.url().nullable() }).nullable(),
})
export type Welcome = z.infer<typeof Welcome>
