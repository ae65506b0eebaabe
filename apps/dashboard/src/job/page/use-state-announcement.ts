import { useEffect, useRef } from 'react'
import { useAnnounce } from '../../components/announcer.tsx'

/** Announces each state change, but not the initial state. */
export function useStateAnnouncement(label: string): void {
  const announce = useAnnounce()
  const last = useRef(label)
  useEffect(() => {
    if (last.current === label) return
    last.current = label
    announce(`Job status: ${label}`)
  }, [label, announce])
}
