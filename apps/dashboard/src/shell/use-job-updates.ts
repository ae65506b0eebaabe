import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { checkConnection } from '../api/connection.ts'
import { toJobsKey } from '../api/jobs.ts'
import { toProjectPath } from '../api/to-project-path.ts'

/** Minimum interval between refetches of the list, in ms. */
const READ_MS = 400
/** Polling interval in ms after the stream has closed permanently. */
const POLL_MS = 5_000

/**
 * Refetches a project's jobs when the service reports a change. Active only while the page is
 * visible, because browsers limit the number of connections per host.
 */
export function useJobUpdates(projectId: string | null): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (projectId === null) return
    let source: EventSource | null = null
    let pending: ReturnType<typeof setTimeout> | null = null
    let poll: ReturnType<typeof setInterval> | null = null
    let readAt = Number.NEGATIVE_INFINITY

    const queryKey = toJobsKey(projectId)
    const read = () => {
      pending = null
      readAt = performance.now()
      // A refetch would cancel a running request for older jobs.
      if (queryClient.isFetching({ queryKey }) > 0) return readSoon()
      void queryClient.invalidateQueries({ queryKey })
    }
    const readSoon = () => {
      pending ??= setTimeout(read, Math.max(0, readAt + READ_MS - performance.now()))
    }
    const stop = () => {
      source?.close()
      source = null
      if (poll !== null) clearInterval(poll)
      poll = null
    }
    const start = () => {
      const opened = new EventSource(toProjectPath(projectId, 'events'))
      source = opened
      let wasOpen = false
      opened.addEventListener('open', () => {
        // Fetches changes missed while disconnected.
        if (wasOpen) readSoon()
        wasOpen = true
      })
      opened.addEventListener('jobs', readSoon)
      opened.addEventListener('error', () => {
        checkConnection()
        if (opened.readyState === EventSource.CLOSED && source === opened) poll ??= setInterval(readSoon, POLL_MS)
      })
    }
    const onVisibilityChange = () => {
      stop()
      if (document.visibilityState === 'hidden') return
      start()
      readSoon()
    }
    if (document.visibilityState !== 'hidden') start()
    document.addEventListener('visibilitychange', onVisibilityChange)
    return () => {
      document.removeEventListener('visibilitychange', onVisibilityChange)
      stop()
      if (pending !== null) clearTimeout(pending)
    }
  }, [projectId, queryClient])
}
