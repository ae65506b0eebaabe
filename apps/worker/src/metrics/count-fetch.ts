/** HTTP status of the response. `aborted` or `error` if the request failed without a response. */
export type OnFetched = (status: string, seconds: number) => void

/** Wraps a `fetch` so that it reports each response when its headers have arrived. */
export function countFetch(send: typeof fetch, onFetched: OnFetched): typeof fetch {
  return async (input, init) => {
    const start = performance.now()
    const report = (status: string) => onFetched(status, (performance.now() - start) / 1000)
    try {
      const response = await send(input, init)
      report(String(response.status))
      return response
    } catch (error) {
      report(init?.signal?.aborted ? 'aborted' : 'error')
      throw error
    }
  }
}
