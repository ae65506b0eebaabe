/** Limits of {@link openBatches}. */
export interface BatchOptions<In, Out> {
  /** Maximum number of different reads in a batch. */
  readonly size: number
  /** Maximum number of batches at the same time. A batch that takes longer than `slowMs` does not count. */
  readonly parallel: number
  /** Default: 200. */
  readonly slowMs?: number
  /**
   * Reads a batch with one statement. Returns a function for each input, in order. Its error affects
   * only the callers of this input. An error of `read` affects the whole batch.
   */
  readonly read: (inputs: readonly In[]) => Promise<readonly (() => Promise<Out>)[]>
}

/** Reads `toInput()`. Calls with the same id that wait at the same time share one read. */
export type Batches<In, Out> = (id: string, toInput: () => In) => Promise<Out>

interface Item<In, Out> {
  readonly input: In
  readonly result: Promise<Out>
  resolve(result: Promise<Out>): void
  reject(error: unknown): void
}

/**
 * Collects reads and answers them with one statement. A read never joins a statement that was sent
 * before the read was requested. It therefore returns the state at its request or a later one, as if
 * it had its own statement.
 */
export function openBatches<In, Out>({ size, parallel, slowMs = 200, read }: BatchOptions<In, Out>): Batches<In, Out> {
  const waiting = new Map<string, Item<In, Out>>()
  let running = 0
  let isScheduled = false

  const take = (): Item<In, Out>[] => {
    const items: Item<In, Out>[] = []
    for (const [id, item] of waiting) {
      if (items.length === size) break
      items.push(item)
      waiting.delete(id)
    }
    return items
  }
  const run = async (items: readonly Item<In, Out>[]): Promise<void> => {
    running += 1
    let isCounted = true
    const end = () => {
      if (!isCounted) return
      isCounted = false
      running -= 1
      start()
    }
    // A connection that does not respond must not delay all further reads.
    const slow = setTimeout(end, slowMs)
    try {
      const answers = await read(items.map(({ input }) => input))
      for (const [n, item] of items.entries()) {
        const answer = answers[n]
        if (answer === undefined) item.reject(new Error('The batch has no answer for this read.'))
        else item.resolve(answer())
      }
    } catch (error) {
      for (const item of items) item.reject(error)
    }
    clearTimeout(slow)
    end()
  }
  const start = (): void => {
    while (running < parallel && waiting.size > 0) void run(take())
  }
  const schedule = (): void => {
    if (isScheduled || running >= parallel) return
    isScheduled = true
    // After the requests that have arrived at the same time.
    setImmediate(() => {
      isScheduled = false
      start()
    })
  }

  return (id, toInput) => {
    const found = waiting.get(id)
    if (found) return found.result
    let resolve: Item<In, Out>['resolve'] = () => {}
    let reject: Item<In, Out>['reject'] = () => {}
    const result = new Promise<Out>((onResult, onError) => {
      resolve = onResult
      reject = onError
    })
    waiting.set(id, { input: toInput(), result, resolve, reject })
    schedule()
    return result
  }
}
