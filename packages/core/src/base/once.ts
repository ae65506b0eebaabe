/**
 * Returns a function that calls `load` at its first call and returns the same result afterwards.
 * Concurrent calls share one `load`. After an error, the next call calls `load` again.
 */
export function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = null
      throw error
    })
    return loading
  }
}
