import { useSyncExternalStore } from 'react'

/** Interval in ms between checks while the service is unreachable. */
const RETRY_MS = 1_000
/** Time in ms after which a check without a response counts as failed. */
const CHECK_MS = 5_000
/** Responds without reading the database. */
const PATH = '/healthz'

let isConnected = true
let isChecking = false
let retry: ReturnType<typeof setTimeout> | null = null
const listeners = new Set<() => void>()

function set(next: boolean): void {
  if (!next) retry ??= setTimeout(checkAgain, RETRY_MS)
  else if (retry !== null) {
    clearTimeout(retry)
    retry = null
  }
  if (isConnected === next) return
  isConnected = next
  for (const listener of listeners) listener()
}

function checkAgain(): void {
  retry = null
  checkConnection()
}

/** Records that a request got no response. Checks the connection until the service responds. */
export const reportUnreachable = (): void => set(false)

/** Records that the service responded. */
export const reportConnected = (): void => set(true)

/** Checks whether the service responds, unless a check is running. */
export function checkConnection(): void {
  if (isChecking) return
  isChecking = true
  void fetch(PATH, { cache: 'no-store', signal: AbortSignal.timeout(CHECK_MS) })
    .then(
      ({ status }) => status < 500,
      () => false,
    )
    .then((isUp) => {
      isChecking = false
      set(isUp)
    })
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  // The browser's report is only a reason to check, because it does not cover the service.
  if (listeners.size === 1) {
    window.addEventListener('online', checkConnection)
    window.addEventListener('offline', checkConnection)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    window.removeEventListener('online', checkConnection)
    window.removeEventListener('offline', checkConnection)
  }
}

/** Returns false while the service is unreachable. */
export const useConnection = (): boolean => useSyncExternalStore(subscribe, () => isConnected)
