import type {
  AgentJob,
  DashboardJob,
  DashboardJobPage,
  JobChanges,
  JobTexts,
  TranscriptPage,
} from '@corrigenda/contracts'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { request, toAgentPath, toProjectPath } from '../../api/request.ts'

const PAGE = 100

/** Maximum number of pages to search. */
const MAX_PAGES = 20

/** Identifies the job that a page shows. */
export interface JobKey {
  readonly projectId: string
  readonly jobId: string
}

const toKey = ({ projectId, jobId }: JobKey) => ['project', projectId, 'job', jobId] as const

export const toJobPath = ({ projectId, jobId }: JobKey, ...parts: readonly string[]) =>
  toAgentPath(projectId, 'job', jobId, ...parts)

/** Polling interval in ms for a job that can still change, in addition to its event stream. */
const POLL_MS = 15_000

export const jobQuery = (key: JobKey) =>
  queryOptions({
    queryKey: [...toKey(key), 'record'],
    queryFn: ({ signal }) => request<AgentJob>(toJobPath(key), { signal }),
    refetchInterval: ({ state }) => (state.data && isAwaited(state.data) ? POLL_MS : false),
  })

/**
 * Returns true if the job can still change because it is running, its pull request is open, or a
 * deployment has not ended.
 */
function isAwaited({ status, pullRequest, deployment }: AgentJob): boolean {
  const isDeploying = deployment?.status === 'queued' || deployment?.status === 'in_progress'
  return status === 'active' || (status === 'completed' && (pullRequest?.state === 'open' || isDeploying))
}

/** The job's entry in the job list, the only record that includes its creator. */
export const jobSummaryQuery = (key: JobKey) =>
  queryOptions({
    queryKey: [...toKey(key), 'summary'],
    queryFn: ({ signal }) => request<DashboardJob>(toProjectPath(key.projectId, 'jobs', key.jobId), { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** A job's changes, with the texts around them. */
export interface ReviewedChanges extends JobChanges, JobTexts {}

/** Keeps a job that was just created, so that its page shows it at once. The page then loads the rest. */
export function keepNewJob(
  client: QueryClient,
  { projectId, job, prompt }: { projectId: string; job: AgentJob; prompt: string },
): void {
  const key = { projectId, jobId: job.id }
  client.setQueryData(jobQuery(key).queryKey, job)
  const summary: DashboardJob = { ...job, prompt, costUsd: job.usage.costUsd, createdBy: null }
  // Stale, because the response does not name the creator.
  client.setQueryData(jobSummaryQuery(key).queryKey, summary, { updatedAt: 0 })
  void client.invalidateQueries({ queryKey: jobSummaryQuery(key).queryKey })
}

export const changesQuery = (key: JobKey) =>
  queryOptions({
    queryKey: [...toKey(key), 'changes'],
    queryFn: async ({ signal }): Promise<ReviewedChanges> => {
      const [changes, { texts }] = await Promise.all([
        request<JobChanges>(toJobPath(key, 'changes'), { signal }),
        request<JobTexts>(toProjectPath(key.projectId, 'jobs', key.jobId, 'texts'), { signal }),
      ])
      return { ...changes, texts }
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The complete transcript so far. Each fetch reads only new entries. */
export const transcriptQuery = (key: JobKey) =>
  queryOptions({
    queryKey: [...toKey(key), 'transcript'],
    queryFn: async ({ signal, client, queryKey }): Promise<TranscriptPage> => {
      let known = client.getQueryData<TranscriptPage>(queryKey)
      do {
        const query = known ? `?after=${encodeURIComponent(known.nextAfter)}&limit=200` : '?limit=50'
        const page = await request<TranscriptPage>(
          `${toProjectPath(key.projectId, 'jobs', key.jobId, 'transcript')}${query}`,
          { signal },
        )
        known = addPage(known, page)
      } while (known.hasMore)
      return known
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

export const cancelJob = (key: JobKey) => request<AgentJob>(toJobPath(key, 'cancel'), { method: 'POST' })
export const archiveJob = (key: JobKey) => request<AgentJob>(toJobPath(key, 'archive'), { method: 'POST' })
export const unarchiveJob = (key: JobKey) => request<AgentJob>(toJobPath(key, 'unarchive'), { method: 'POST' })
export const deleteJob = (key: JobKey) => request<void>(toJobPath(key), { method: 'DELETE' })
/** @param idempotencyKey a repeated call with the same key returns the same new job */
export const retryJob = (key: JobKey, idempotencyKey: string) =>
  request<AgentJob>(toJobPath(key, 'retry'), { method: 'POST', idempotencyKey })
/** @param idempotencyKey a repeated call with the same key does not send the message again */
export const sendMessage = (key: JobKey, prompt: string, idempotencyKey: string) =>
  request<AgentJob>(toJobPath(key, 'message'), { method: 'POST', body: { prompt }, idempotencyKey })

/** Appends a page to earlier ones. Its runs and messages replace older copies of the same ones. */
export function addPage(known: TranscriptPage | undefined, page: TranscriptPage): TranscriptPage {
  const merge = <T extends { readonly id: string }>(before: readonly T[] = [], now: readonly T[]) => [
    ...new Map([...before, ...now].map((one) => [one.id, one])).values(),
  ]
  const messages = merge(known?.messages, page.messages)
  return {
    ...page,
    runs: merge(known?.runs, page.runs),
    messages: messages.sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id)),
    rows: [...(known?.rows ?? []), ...page.rows],
  }
}

/**
 * Returns the id of the job next to `jobId` in the list, which is sorted newest first. A step of 1
 * selects the next older job, and -1 the next newer one. Returns null at either end of the list, or
 * if `jobId` is not in the searched pages.
 */
export async function findNeighbour({ projectId, jobId }: JobKey, step: 1 | -1): Promise<string | null> {
  let cursor: string | null = null
  let above: string | null = null
  let isFound = false
  for (let pages = 0; pages < MAX_PAGES; pages += 1) {
    const query = new URLSearchParams({ limit: String(PAGE), ...(cursor === null ? {} : { cursor }) })
    const page: DashboardJobPage = await request<DashboardJobPage>(`${toProjectPath(projectId, 'jobs')}?${query}`)
    for (const { id } of page.jobs) {
      if (isFound) return id
      if (id === jobId && step === -1) return above
      isFound = id === jobId
      above = id
    }
    cursor = page.nextCursor
    if (cursor === null) return null
  }
  return null
}
