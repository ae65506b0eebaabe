/** Closers of the parts opened so far. */
export interface Resources {
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
export async function openResources<T>(
  onCloseError: (error: Error) => void,
  open: (resources: Resources) => Promise<T>,
): Promise<T & { close(): Promise<void> }> {
  const closers: (() => Promise<unknown>)[] = []
  let closing: Promise<void> | null = null
  const closeAll = async () => {
    for (const close of closers.splice(0).reverse()) await close().catch(onCloseError)
  }
  const resources: Resources = {
    add: (close) => void closers.push(close),
    close() {
      closing ??= closeAll()
      return closing
    },
  }
  try {
    return { ...(await open(resources)), close: resources.close }
  } catch (error) {
    await resources.close()
    throw error
  }
}
