/** Limits of {@link openGroups}. */
export interface GroupOptions<Item, Result> {
  /** Maximum number of items in a group. */
  readonly size: number
  /** Maximum number of groups that run at the same time. */
  readonly parallel: number
  readonly toOwner: (item: Item) => string
  /** A group has the items of one owner only. Default: false. */
  readonly isPerOwner?: boolean
  /**
   * Runs the items together. Items of one owner are neighbours, in the order of their arrival.
   * Returns the results in the same order. The group has ended then, even if a result is pending.
   */
  readonly run: (items: readonly Item[]) => Promise<readonly (Result | Promise<Result>)[]>
}

/** Adds an item to the next group, and returns its result. Rejects if the group fails. */
export type AddToGroup<Item, Result> = (item: Item) => Promise<Result>

interface Entry<Item, Result> {
  readonly item: Item
  resolve(result: Result | Promise<Result>): void
  reject(error: unknown): void
}

/**
 * Runs items that arrive while earlier ones are running together, for example to write them with
 * one statement. An owner has items in one running group at a time. The owners take turns, so an
 * owner with many items does not delay the others.
 */
export function openGroups<Item, Result>(options: GroupOptions<Item, Result>): AddToGroup<Item, Result> {
  const { size, parallel, toOwner, isPerOwner = false, run } = options
  // In the order in which the owners are served next.
  const waiting = new Map<string, Entry<Item, Result>[]>()
  const busy = new Set<string>()
  let running = 0
  let isScheduled = false

  const take = (): Map<string, Entry<Item, Result>[]> => {
    const taken = new Map<string, Entry<Item, Result>[]>()
    const all = [...waiting.keys()].filter((owner) => !busy.has(owner))
    // Leaves owners for the groups that can still start, so that the groups run at the same time.
    const free = all.slice(0, isPerOwner ? 1 : Math.ceil(all.length / (parallel - running)))
    // One item of each owner in turn.
    for (let [left, n] = [size, 0]; left > 0 && free.length > 0; left -= 1) {
      const owner = free[n % free.length] ?? ''
      const entries = waiting.get(owner) ?? []
      taken.set(owner, [...(taken.get(owner) ?? []), ...entries.splice(0, 1)])
      waiting.delete(owner)
      if (entries.length > 0) waiting.set(owner, entries)
      if (entries.length > 0) n += 1
      else free.splice(n % free.length, 1)
    }
    return taken
  }
  const work = async (taken: Map<string, Entry<Item, Result>[]>): Promise<void> => {
    const entries = [...taken.values()].flat()
    running += 1
    for (const owner of taken.keys()) busy.add(owner)
    try {
      const results = await run(entries.map(({ item }) => item))
      if (results.length !== entries.length) throw new Error('The group has another number of results than of items.')
      for (const [n, { resolve }] of entries.entries()) resolve(results[n] as Result)
    } catch (error) {
      for (const { reject } of entries) reject(error)
    }
    running -= 1
    for (const owner of taken.keys()) busy.delete(owner)
    start()
  }
  const start = (): void => {
    while (running < parallel) {
      const taken = take()
      if (taken.size === 0) return
      void work(taken)
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const owner = toOwner(item)
      const entries = waiting.get(owner) ?? []
      waiting.set(owner, entries)
      entries.push({ item, resolve, reject })
      if (isScheduled) return
      isScheduled = true
      // After the items that have arrived at the same time.
      setImmediate(() => {
        isScheduled = false
        start()
      })
    })
}
