import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { ApiError } from './request.ts'

/**
 * Builds the query client. Responses stay fresh for 5 s. Only transient failures are retried.
 * `onSignedOut` is called when the session has ended.
 */
export function buildQueryClient({ onSignedOut }: { onSignedOut: () => void }): QueryClient {
  const onError = (error: Error) => {
    if (isSignedOut(error)) onSignedOut()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // Requests are also sent if the browser reports that it is offline. Otherwise, pages would wait
      // without an error, also for a service on the same machine.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: 5_000,
        retry: (failures, error) => failures < 3 && isTransient(error),
      },
    },
  })
}

/** Returns true if the session has ended. A wrong password results in a different code. */
function isSignedOut(error: Error): boolean {
  return error instanceof ApiError && (error.code === 'sign_in_required' || error.code === 'unauthorized')
}

function isTransient(error: Error): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 502)
}
