import { appendEvent } from '@corrigenda/core/internal/job-record/append-event'
import { openTestDatabase } from '@corrigenda/core/internal/test-support/open-test-database'
import { openLog } from '@corrigenda/core/runtime'
import { inject, onTestFinished } from 'vitest'
import { type EventHubDeps, type EventHubOptions, openEventHub } from '../event-hub/open-event-hub.ts'
import type { ApiDeps } from '../http/deps.ts'
import { openStream } from './open-stream.ts'
import { openTestApi } from './open-test-api.ts'

const log = openLog({ level: 'silent', secrets: [] })

/**
 * Opens the application on a separate port, with a separate event hub and a job to watch. Periodic
 * reads without a notification are effectively disabled by default.
 * @param overrides see `openTestApi`
 */
export async function openEventApi(
  options: Partial<EventHubOptions> & { wrap?: (prisma: EventHubDeps['prisma']) => EventHubDeps['prisma'] } = {},
  overrides?: Partial<ApiDeps>,
) {
  const { wrap = (prisma) => prisma, ...hubOptions } = options
  const databaseUrl = inject('postgresUrl')
  const hub = openEventHub(
    { prisma: wrap(openTestDatabase().prisma), log, sessionMaxDays: 90 },
    { databaseUrl, maxStreams: 1000, safetyMs: 3_600_000, heartbeatMs: 3_600_000, ...hubOptions },
  )
  const api = await openTestApi(overrides)
  Object.assign(api.deps, { events: hub })
  onTestFinished(() => hub.close())
  const origin = await api.listen()
  const { id } = (await api.post({ prompt: 'x' })).json()
  const path = `/v2/agent/${api.project.id}/job/${id}/events`
  const authorization = `Bearer ${api.key}`
  const watch = async (headers: Record<string, string> = {}, query = '', at = `${origin}${path}`) => {
    const stream = await openStream(`${at}${query}`, { authorization, ...headers })
    onTestFinished(() => stream.close())
    return stream
  }
  /** Appends events and returns the sequence number of the last one. */
  const append = async (count: number, jobId: string = id) => {
    for (let i = 0; i < count; i += 1) {
      await api.database.prisma.$transaction((tx) =>
        appendEvent(tx, jobId, { type: 'agent.said', data: { text: `${i}` } }),
      )
    }
    return (await api.database.prisma.job.findUniqueOrThrow({ where: { id: jobId } })).lastEventSeq
  }
  return { ...api, hub, origin, path, id, watch, append, authorization }
}

export const count = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
