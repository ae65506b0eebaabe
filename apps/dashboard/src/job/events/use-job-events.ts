import type { AgentJob, JobEventRecord } from '@corrigenda/contracts'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { changesQuery, type JobKey, jobQuery, toJobPath, transcriptQuery } from '../api/job-queries.ts'
import { type FeedState, openEventFeed } from './open-event-feed.ts'

/** Minimum interval between refetches, in ms. */
const READ_MS = 250

/**
 * Returns all of a job's events and keeps them up to date. When an event reports a change to the
 * record, transcript or changes, refetches them.
 */
export function useJobEvents(key: JobKey, job: AgentJob): { events: readonly JobEventRecord[]; state: FeedState } {
  const { projectId, jobId } = key
  const client = useQueryClient()
  const [events, setEvents] = useState<readonly JobEventRecord[]>([])
  const [state, setState] = useState<FeedState>('connecting')
  const last = useRef(0)
  // The stream closes when the job has ended. Later events are fetched when the record changes.
  const version = job.status === 'active' ? 'active' : job.updatedAt
  useEffect(() => {
    void version
    const own = { projectId, jobId }
    const changed = new Set<string>()
    let timer: ReturnType<typeof setTimeout> | null = null
    const read = () => {
      timer = null
      const queries = { record: jobQuery(own), transcript: transcriptQuery(own), changes: changesQuery(own) }
      for (const [name, { queryKey }] of Object.entries(queries)) {
        if (changed.has(name)) void client.invalidateQueries({ queryKey })
      }
      changed.clear()
    }
    const feed = openEventFeed({
      path: toJobPath(own, 'events'),
      after: last.current,
      onState: setState,
      onEvents: (received) => {
        last.current = received.at(-1)?.seq ?? last.current
        setEvents((known) => [...known, ...received])
        for (const event of received) for (const name of listChanged(event)) changed.add(name)
        timer ??= setTimeout(read, READ_MS)
      },
    })
    return () => {
      feed.close()
      if (timer) clearTimeout(timer)
      read()
    }
  }, [client, projectId, jobId, version])
  return { events, state }
}

function listChanged({ type }: JobEventRecord): readonly string[] {
  if (type === 'tool.called' || type === 'agent.said' || type.startsWith('message.')) return ['record', 'transcript']
  if (type === 'change.frozen' || type === 'run.ended') return ['record', 'changes']
  if (/^job\.(?:completed|failed|continued|started)$/.test(type)) return ['record', 'transcript', 'changes']
  return ['record']
}
