/** Closers of the parts opened so far. */
export interface Parts {
  /** Registers the closer of a part. */
  add(close: () => Promise<unknown>): void
  /**
   * Closes in reverse order, so that no part is closed before its dependents. A failure does not
   * keep the other parts open. Idempotent.
   */
  close(): Promise<void>
}

/**
 * Opens the parts of a process. When one fails to open, closes the open ones and throws the error,
 * so that no half-started process keeps running.
 */
export async function openParts<T>(
  onCloseError: (error: Error) => void,
  open: (parts: Parts) => Promise<T>,
): Promise<T & { close(): Promise<void> }> {
  const closers: (() => Promise<unknown>)[] = []
  let closing: Promise<void> | null = null
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close().catch(onCloseError)
  }
  const parts: Parts = {
    add: (close) => void closers.push(close),
    close() {
      closing ??= closeAll()
      return closing
    },
  }
  try {
    return { ...(await open(parts)), close: parts.close }
  } catch (error) {
    await parts.close()
    throw error
  }
}
