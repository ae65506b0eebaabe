/** The resources that a process has opened so far. */
interface Resources {
  /** Registers the function that closes a resource. */
  add(close: () => Promise<unknown>): void
  /**
   * Closes the resources in reverse order, so that none is closed before its dependents. If one
   * fails to close, the others are still closed. Idempotent.
   */
  close(): Promise<void>
}

/**
 * Opens the resources of a process. If one fails to open, closes those that are already open and
 * rethrows the error, so that a partly started process does not keep running.
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
