import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../plan/random.ts'
import type { Stack } from '../stack/open-stack.ts'
import { type Act, listActs } from './fault-actions.ts'

interface FaultInjector {
  /** Number of times each act ran. */
  readonly counts: ReadonlyMap<string, number>
  /** Stops starting acts and waits until all faults are reversed. */
  stop(): Promise<void>
}

/**
 * Starts one act after another, in an order that depends on the seed.
 * @param input.points number of points that runs must reach between two acts, so that slow and fast
 *   machines run the same number of acts per job
 * @param input.limit maximum number of acts; if absent, acts run until stopped
 */
export function startFaultInjector(
  stack: Stack,
  random: Random,
  input: { points: { min: number; max: number }; limit?: number; onFailure: (error: Error) => void },
): FaultInjector {
  const acts = listActs(stack.input)
  const counts = new Map<string, number>()
  const stopping = new AbortController()
  const undone = new Set<Promise<void>>()
  const loop = async () => {
    for (let n = 0; n < (input.limit ?? Number.POSITIVE_INFINITY); n += 1) {
      await untilProgress(stack, random.int(input.points.min, input.points.max), stopping.signal)
      if (stopping.signal.aborted) return
      const own = random.fork(n)
      // With few acts, each kind runs once before any kind runs twice, so that a short run covers
      // all of them.
      const act = input.limit === undefined ? pickAct(acts, own) : pickRarest(acts, counts, own)
      counts.set(act.name, (counts.get(act.name) ?? 0) + 1)
      const doing = act.run(stack, own).catch(input.onFailure)
      undone.add(doing)
      doing.finally(() => undone.delete(doing))
      // A stopped server would affect the acts that follow, so the loop waits until it is running
      // again. It does not wait for paused processes.
      if (/Postgres|PgBouncer|Redis/.test(act.name)) await doing
    }
  }
  const looping = loop()
  return {
    counts,
    async stop() {
      stopping.abort()
      await looping
      await Promise.all(undone)
      stack.host.clearFaults()
    },
  }
}

function pickAct(acts: readonly Act[], random: Random): Act {
  let left = random.next() * acts.reduce((sum, act) => sum + act.weight, 0)
  for (const act of acts) {
    left -= act.weight
    if (left < 0) return act
  }
  return random.pick(acts)
}

function pickRarest(acts: readonly Act[], counts: ReadonlyMap<string, number>, random: Random): Act {
  const least = Math.min(...acts.map((act) => counts.get(act.name) ?? 0))
  return random.pick(acts.filter((act) => (counts.get(act.name) ?? 0) === least))
}

const SHORTEST_MS = 300
/** Limits the wait for progress, because all workers may be paused. */
const LONGEST_MS = 12_000

async function untilProgress({ history }: Stack, points: number, signal: AbortSignal): Promise<void> {
  const count = () => history.list('point').length
  const [from, started] = [count(), Date.now()]
  do await sleep(SHORTEST_MS)
  while (!signal.aborted && count() - from < points && Date.now() - started < LONGEST_MS)
}
