/**
 * Gates that hold back responses, keyed by name. A gate is closed until it is released, and then
 * stays open.
 */
export type Barriers = Map<string, Barrier>

interface Barrier {
  released: boolean
  waiting: number
  wake: Set<() => void>
  arrived: Set<() => void>
}

function ensureBarrier(barriers: Barriers, key: string): Barrier {
  const barrier = barriers.get(key) ?? { released: false, waiting: 0, wake: new Set(), arrived: new Set() }
  barriers.set(key, barrier)
  return barrier
}

/** Closes a gate, even if it was released earlier. */
export function closeBarrier(barriers: Barriers, key: string): void {
  ensureBarrier(barriers, key).released = false
}

export function openBarrier(barriers: Barriers, key: string): void {
  const barrier = ensureBarrier(barriers, key)
  barrier.released = true
  for (const wake of [...barrier.wake]) wake()
}

/** Resolves when the gate is released or the signal aborts. */
export function waitAtBarrier(barriers: Barriers, key: string, signal: AbortSignal): Promise<void> {
  const barrier = ensureBarrier(barriers, key)
  if (barrier.released || signal.aborted) return Promise.resolve()
  barrier.waiting += 1
  for (const arrived of barrier.arrived) arrived()
  barrier.arrived.clear()
  return new Promise((resolve) => {
    const leave = () => {
      barrier.wake.delete(leave)
      signal.removeEventListener('abort', leave)
      barrier.waiting -= 1
      resolve()
    }
    barrier.wake.add(leave)
    signal.addEventListener('abort', leave)
  })
}

/** Resolves once a request is held at the gate, or immediately if one already is. */
export function whenHeldAt(barriers: Barriers, key: string): Promise<void> {
  const barrier = ensureBarrier(barriers, key)
  if (barrier.waiting > 0) return Promise.resolve()
  return new Promise((resolve) => barrier.arrived.add(resolve))
}
