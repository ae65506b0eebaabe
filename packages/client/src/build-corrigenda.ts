import { buildConnection, type CorrigendaOptions } from './connection.ts'
import {
  archiveJob,
  cancelJob,
  createJob,
  createJobToken,
  deleteJob,
  getJob,
  getJobChanges,
  getMe,
  getUpdateStatus,
  listJobEvents,
  listJobs,
  retryJob,
  sendMessage,
  triggerUpdate,
  unarchiveJob,
} from './generated/sdk.gen.ts'
import type {
  AgentJob,
  CreateAgentJobRequest,
  Deployment,
  JobChanges,
  JobEvent,
  JobToken,
  ListJobsData,
  Me,
  UpdateAccepted,
} from './generated/types.gen.ts'
import { streamEvents } from './stream-events.ts'
import { unwrap } from './unwrap.ts'
import { type JobWaitOptions, waitForJob } from './wait-for-job.ts'
import { type WaitOptions, waitUntilEnded } from './wait-until-ended.ts'

/**
 * A requested job. Await it to get the accepted job, or call `wait` to wait until the job has
 * ended.
 */
export type PendingJob = Promise<AgentJob> & { wait(options?: JobWaitOptions): Promise<AgentJob> }
export type PendingUpdate = Promise<UpdateAccepted> & { wait(options?: WaitOptions): Promise<Deployment> }

interface Repeat {
  /**
   * Key that identifies this request. Pass the same key when you repeat the request. Default: a
   * random key.
   */
  readonly idempotencyKey?: string
}

export type Corrigenda = ReturnType<typeof buildCorrigenda>

/**
 * Builds a client for one project. Every call throws CorrigendaError when it is rejected or
 * receives no response.
 */
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
    /** Waits until an existing job has ended. */
    waitForJob: (id: string, wait: JobWaitOptions = {}): Promise<AgentJob> => waitForJob(connection, id, wait),
    /** Yields all jobs, newest first. Requests further pages on demand. */
    async *listJobs(query: Omit<NonNullable<ListJobsData['query']>, 'cursor'> = {}): AsyncGenerator<AgentJob, void> {
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const from = cursor === undefined ? query : { ...query, cursor }
        const page = await unwrap(origin, listJobs({ client, path: { projectId }, query: from }))
        yield* page.jobs
        cursor = page.nextCursor
      }
    },
    /** Yields the events that have occurred so far. */
    async *listEvents(id: string, { after = 0 }: { after?: number } = {}): AsyncGenerator<JobEvent, void> {
      for (let last = after; ; ) {
        const { events } = await unwrap(origin, listJobEvents({ ...at(id), query: { after: last, limit: 1000 } }))
        yield* events
        last = events.at(-1)?.seq ?? last
        if (events.length < 1000) return
      }
    },
    /** Yields the events as they occur, until the job has ended. */
    events: (id: string, from: { after?: number; signal?: AbortSignal } = {}): AsyncGenerator<JobEvent, void> =>
      streamEvents(connection, id, from),
    cancelJob: (id: string): Promise<AgentJob> => unwrap(origin, cancelJob(at(id))),
    archiveJob: (id: string): Promise<AgentJob> => unwrap(origin, archiveJob(at(id))),
    unarchiveJob: (id: string): Promise<AgentJob> => unwrap(origin, unarchiveJob(at(id))),
    /** Deletes a job that has ended, with its prompts, transcript, events and changes. */
    deleteJob: async (id: string): Promise<void> => {
      await unwrap(origin, deleteJob(at(id)))
    },
    /** Creates a new job with the same prompt and options. */
    retryJob: (id: string, { idempotencyKey = newKey() }: Repeat = {}): PendingJob =>
      pending(unwrap(origin, retryJob({ ...at(id), headers: { 'Idempotency-Key': idempotencyKey } }))),
    /** Sends another prompt for the same branch and pull request. */
    sendMessage: (id: string, prompt: string, { idempotencyKey = newKey() }: Repeat = {}): PendingJob => {
      const headers = { 'Idempotency-Key': idempotencyKey }
      return pending(unwrap(origin, sendMessage({ ...at(id), body: { prompt }, headers })))
    },
    /** Creates a token with which a browser reads this job and its events for an hour. */
    createJobToken: (id: string): Promise<JobToken> => unwrap(origin, createJobToken(at(id))),
    getChanges: (id: string): Promise<JobChanges> => unwrap(origin, getJobChanges(at(id))),
    /**
     * Deploys the documentation. The request is not retried after a connection error, because the
     * deployment may have been accepted.
     */
    triggerUpdate: (): PendingUpdate => {
      const accepted = unwrap(origin, triggerUpdate({ client: once, path: { projectId } }))
      const wait = async (options: WaitOptions = {}) => {
        const { statusId } = await accepted
        const poll = async (signal: AbortSignal | undefined) => {
          const sending = getUpdateStatus({ client, path: { statusId }, ...(signal && { signal }) })
          const state = await unwrap(origin, sending)
          return { state, hasEnded: state.status === 'success' || state.status === 'failure', retryAfterSeconds: null }
        }
        return waitUntilEnded(poll, { pollMs, maxOutageMs: limits.maxOutageMs, ...options })
      }
      return Object.assign(accepted, { wait })
    },
    /** Returns the API key's properties and permissions. */
    getMe: (): Promise<Me> => unwrap(origin, getMe({ client })),
  }
}

/**
 * Returns 128 random bits in hexadecimal. Does not use `crypto.randomUUID`, which is unavailable on
 * pages without HTTPS.
 */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
