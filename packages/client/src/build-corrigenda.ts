import { buildConnection, type CorrigendaOptions } from './connection.ts'
import {
  archiveJob,
  cancelJob,
  createJob,
  getJob,
  getJobChanges,
  getMe,
  getUpdateStatus,
  listJobEvents,
  listJobs,
  retryJob,
  sendMessage,
  triggerUpdate,
} from './generated/sdk.gen.ts'
import type {
  AgentJob,
  CreateAgentJobRequest,
  Deployment,
  JobChanges,
  JobEvent,
  ListJobsData,
  Me,
  UpdateAccepted,
} from './generated/types.gen.ts'
import { streamEvents } from './stream-events.ts'
import { unwrap } from './unwrap.ts'
import { type JobWaitOptions, waitForJob } from './wait-for-job.ts'
import { type WaitOptions, waitUntilEnded } from './wait-until-ended.ts'

/** A job that was just asked for: await it for the answer, or `wait` for its end. */
export type PendingJob = Promise<AgentJob> & { wait(options?: JobWaitOptions): Promise<AgentJob> }
export type PendingUpdate = Promise<UpdateAccepted> & { wait(options?: WaitOptions): Promise<Deployment> }

export interface Repeat {
  /** A name for this request that stays the same when you send it again yourself; made at random otherwise. */
  readonly idempotencyKey?: string
}

export type Corrigenda = ReturnType<typeof buildCorrigenda>

/** A client of one project. Every call throws CorrigendaError when it is refused or gets no answer. */
export function buildCorrigenda(options: CorrigendaOptions) {
  const connection = buildConnection(options)
  const { origin, projectId, repeatable, once, pollMs, limits } = connection
  const client = repeatable
  const at = (id: string) => ({ client, path: { projectId, id } })
  const pending = (job: Promise<AgentJob>): PendingJob =>
    Object.assign(job, {
      wait: async (wait: JobWaitOptions = {}) => waitForJob(connection, (await job).id, wait),
    })

  return {
    createJob: (input: CreateAgentJobRequest, { idempotencyKey = newKey() }: Repeat = {}): PendingJob => {
      const headers = { 'Idempotency-Key': idempotencyKey }
      return pending(unwrap(origin, createJob({ client, path: { projectId }, body: input, headers })))
    },
    getJob: (id: string): Promise<AgentJob> => unwrap(origin, getJob(at(id))),
    /** Waits for the end of a job that exists already. */
    waitForJob: (id: string, wait: JobWaitOptions = {}): Promise<AgentJob> => waitForJob(connection, id, wait),
    /** Every job, newest first, page by page as you go on. */
    async *listJobs(query: Omit<NonNullable<ListJobsData['query']>, 'cursor'> = {}): AsyncGenerator<AgentJob, void> {
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const from = cursor === undefined ? query : { ...query, cursor }
        const page = await unwrap(origin, listJobs({ client, path: { projectId }, query: from }))
        yield* page.jobs
        cursor = page.nextCursor
      }
    },
    /** What has happened so far. */
    async *listEvents(id: string, { after = 0 }: { after?: number } = {}): AsyncGenerator<JobEvent, void> {
      for (let last = after; ; ) {
        const { events } = await unwrap(origin, listJobEvents({ ...at(id), query: { after: last, limit: 1000 } }))
        yield* events
        last = events.at(-1)?.seq ?? last
        if (events.length < 1000) return
      }
    },
    /** What happens, until the job has ended. */
    events: (id: string, from: { after?: number; signal?: AbortSignal } = {}): AsyncGenerator<JobEvent, void> =>
      streamEvents(connection, id, from),
    cancelJob: (id: string): Promise<AgentJob> => unwrap(origin, cancelJob(at(id))),
    archiveJob: (id: string): Promise<AgentJob> => unwrap(origin, archiveJob(at(id))),
    /** A new job with the same prompt and options. */
    retryJob: (id: string, { idempotencyKey = newKey() }: Repeat = {}): PendingJob =>
      pending(unwrap(origin, retryJob({ ...at(id), headers: { 'Idempotency-Key': idempotencyKey } }))),
    /** Another prompt for the same branch and pull request. */
    sendMessage: (id: string, prompt: string, { idempotencyKey = newKey() }: Repeat = {}): PendingJob => {
      const headers = { 'Idempotency-Key': idempotencyKey }
      return pending(unwrap(origin, sendMessage({ ...at(id), body: { prompt }, headers })))
    },
    getChanges: (id: string): Promise<JobChanges> => unwrap(origin, getJobChanges(at(id))),
    /** Deploys the documentation. Sent once: when the connection breaks, the deployment may run all the same. */
    triggerUpdate: (): PendingUpdate => {
      const accepted = unwrap(origin, triggerUpdate({ client: once, path: { projectId } }))
      const wait = async (options: WaitOptions = {}) => {
        const { statusId } = await accepted
        const look = async (signal: AbortSignal | undefined) => {
          const asking = getUpdateStatus({ client, path: { statusId }, ...(signal && { signal }) })
          const state = await unwrap(origin, asking)
          return { state, hasEnded: state.status === 'success' || state.status === 'failure', retryAfterSeconds: null }
        }
        return waitUntilEnded(look, { pollMs, maxOutageMs: limits.maxOutageMs, ...options })
      }
      return Object.assign(accepted, { wait })
    },
    /** What the key is and may do. */
    getMe: (): Promise<Me> => unwrap(origin, getMe({ client })),
  }
}

/** 128 random bits, also where `crypto.randomUUID` is missing (pages without https). */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
