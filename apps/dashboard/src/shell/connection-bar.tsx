import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useConnection } from '../api/connection.ts'
import { useAnnounce } from '../components/announcer.tsx'
import { Icon } from '../components/icon.tsx'

const TEXT = 'Connection lost. This page shows the data last received. Reconnecting…'

/**
 * A bar above every page while the service is unreachable. Repeats the requests that failed once
 * the service responds again.
 */
export function ConnectionBar() {
  const isConnected = useConnection()
  const queryClient = useQueryClient()
  const announce = useAnnounce()
  const wasConnected = useRef(isConnected)
  useEffect(() => {
    if (wasConnected.current === isConnected) return
    wasConnected.current = isConnected
    announce(isConnected ? 'Connected again.' : TEXT)
    if (!isConnected) return
    // Not all queries, because many pages reconnect at the same time.
    void queryClient.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' })
  }, [isConnected, announce, queryClient])
  if (isConnected) return null
  return (
    <div className="connection-bar" data-testid="connection-bar">
      <Icon name="warning" />
      <p>{TEXT}</p>
    </div>
  )
}
