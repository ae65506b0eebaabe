import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentJob, JobEventRecord } from '@corrigenda/contracts'
import { AppError } from '@corrigenda/core/base'
import { getJob, listEvents } from '@corrigenda/core/jobs'
import type { ToolCall } from './mcp-tool.ts'

/** Clients and proxies time out after about a minute. */
export const MAX_WAIT_SECONDS = 50
const POLL_MS = 500
/** Maximum time without a progress notification, in ms. */
const REPORT_MS = 5_000

/** Calls that wait, by project, because each of them reads the job repeatedly. */
const waits = new Map<string, number>()
const MAX_WAITS = 20

/**
 * Polls the job with a separate database read each time, because the wait can exceed the time limit
 * for one read. Reports each new event of the job, if the client asked for progress.
 */
export async function waitForJob(call: ToolCall, input: { id: string; seconds: number }): Promise<AgentJob> {
  const { deps, principal, signal } = call
  const key = { projectId: principal.projectId, id: input.id }
  const waiting = waits.get(key.projectId) ?? 0
  if (waiting >= MAX_WAITS) {
    throw new AppError('too_many_streams', `At most ${MAX_WAITS} calls of a project can wait at the same time.`, 30)
  }
  call.onWait()
  waits.set(key.projectId, waiting + 1)
  try {
    const deadline = Date.now() + input.seconds * 1000
    const report = buildReport(call, { ...key, seconds: input.seconds })
    for (;;) {
      const job = await deps.monitor.run(() => getJob(deps, key))
      if (job.status !== 'active' || Date.now() >= deadline || signal.aborted) return job
      await report?.(job)
      await sleep(POLL_MS)
    }
  } finally {
    const left = (waits.get(key.projectId) ?? 1) - 1
    if (left > 0) waits.set(key.projectId, left)
    else waits.delete(key.projectId)
  }
}

/** Returns a function that reports new events. Progress is the time that has passed, in seconds. */
function buildReport(
  { deps, report }: ToolCall,
  { seconds, ...key }: { projectId: string; id: string; seconds: number },
): ((job: AgentJob) => Promise<void>) | null {
  if (report === null) return null
  const startedAt = Date.now()
  let reportedAt = 0
  let after = 0
  let message = ''
  return async ({ phase }) => {
    const events = await deps.monitor.run(() => listEvents(deps, { ...key, after, limit: 1000 }))
    const last = events.at(-1)
    if (last === undefined && Date.now() - reportedAt < REPORT_MS) return
    if (last !== undefined) message = describe(last)
    after = last?.seq ?? after
    reportedAt = Date.now()
    await report({ progress: (reportedAt - startedAt) / 1000, total: seconds, message: `${phase}: ${message}` })
  }
}

/** Returns the event's type, with the agent's tool and its subject. */
function describe({ type, data: { tool, subject } }: JobEventRecord): string {
  return [type, tool, subject].filter((part) => typeof part === 'string').join(' ')
}
