/**
 * Gates that hold responses back, by key. A gate is shut until it is released, and then stays open.
 */
export type Gates = Map<string, Gate>

interface Gate {
  released: boolean
  waiting: number
  wake: Set<() => void>
  arrived: Set<() => void>
}

function ensureGate(gates: Gates, key: string): Gate {
  const gate = gates.get(key) ?? { released: false, waiting: 0, wake: new Set(), arrived: new Set() }
  gates.set(key, gate)
  return gate
}

/** Shuts a gate, including one that was released before. */
export function shutGate(gates: Gates, key: string): void {
  ensureGate(gates, key).released = false
}

export function releaseGate(gates: Gates, key: string): void {
  const gate = ensureGate(gates, key)
  gate.released = true
  for (const wake of [...gate.wake]) wake()
}

/** Resolves when the gate is released or the signal aborts. */
export function waitAtGate(gates: Gates, key: string, signal: AbortSignal): Promise<void> {
  const gate = ensureGate(gates, key)
  if (gate.released || signal.aborted) return Promise.resolve()
  gate.waiting += 1
  for (const arrived of gate.arrived) arrived()
  gate.arrived.clear()
  return new Promise((resolve) => {
    const leave = () => {
      gate.wake.delete(leave)
      signal.removeEventListener('abort', leave)
      gate.waiting -= 1
      resolve()
    }
    gate.wake.add(leave)
    signal.addEventListener('abort', leave)
  })
}

/** Resolves once a request is held at the gate, immediately when there already is one. */
export function whenHeldAt(gates: Gates, key: string): Promise<void> {
  const gate = ensureGate(gates, key)
  if (gate.waiting > 0) return Promise.resolve()
  return new Promise((resolve) => gate.arrived.add(resolve))
}
