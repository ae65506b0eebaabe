import { useEffect, useState } from 'react'

/**
 * Maximum wait in ms. Slower data appears later, because a proxy can buffer a stream indefinitely.
 */
const PATIENCE_MS = 2_000

/**
 * Returns true once the page can be shown: when all data is loaded, so that the layout does not
 * shift, or after the maximum wait. Never returns to false.
 */
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
