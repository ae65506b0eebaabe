import { useEffect, useState } from 'react'

/**
 * Maximum wait in ms. The wait is limited because a proxy can buffer a stream indefinitely. Data
 * that arrives later is shown when it arrives.
 */
const MAX_WAIT_MS = 2_000

/**
 * Returns true once the page can be shown: when all data is loaded, so that the layout does not
 * shift, or after the maximum wait. The value never changes back to false.
 */
export function useArrival(isLoaded: boolean): boolean {
  const [isShown, setShown] = useState(isLoaded)
  useEffect(() => {
    if (isShown) return
    if (isLoaded) return setShown(true)
    const timer = setTimeout(() => setShown(true), MAX_WAIT_MS)
    return () => clearTimeout(timer)
  }, [isShown, isLoaded])
  return isShown || isLoaded
}
