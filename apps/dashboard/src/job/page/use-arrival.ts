import { useEffect, useState } from 'react'

/** What takes longer than this, in ms, comes later: a proxy may hold a stream back for ever. */
const PATIENCE_MS = 2_000

/** Whether the page is shown: once all of it has come, so that nothing jumps, or after a while with what there is. Never false again. */
export function useArrival(hasCome: boolean): boolean {
  const [isShown, setShown] = useState(hasCome)
  useEffect(() => {
    if (isShown) return
    if (hasCome) return setShown(true)
    const timer = setTimeout(() => setShown(true), PATIENCE_MS)
    return () => clearTimeout(timer)
  }, [isShown, hasCome])
  return isShown || hasCome
}
