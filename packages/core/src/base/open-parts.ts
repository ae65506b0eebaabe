/** Closers of what was opened so far. */
export interface Parts {
  /** Remembers how to close a part. */
  add(close: () => Promise<unknown>): void
  /** Closes in reverse order: nothing before what uses it. A part that cannot be closed does not keep the others open. May be repeated. */
  close(): Promise<void>
}

/**
 * Opens the parts of a process. When one cannot be opened, those that are open are closed and the error is thrown: a half-started process would
 * run on without anybody knowing.
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
