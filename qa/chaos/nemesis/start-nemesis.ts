import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../plan/random.ts'
import type { Stack } from '../stack/open-stack.ts'
import { type Act, listActs } from './acts.ts'

export interface Nemesis {
  /** How often each act was done. */
  readonly counts: ReadonlyMap<string, number>
  /** Starts nothing more, and waits until what it broke is whole again. */
  stop(): Promise<void>
}

/**
 * Does one act after the other, in an order that the seed decides.
 * @param input.points points that runs reach between two acts: so a slow machine sees as many per job as a fast one
 * @param input.limit ends by itself after so many acts; absent: goes on until stopped
 */
export function startNemesis(
  stack: Stack,
  random: Random,
  input: { points: { min: number; max: number }; limit?: number; onFailure: (error: Error) => void },
): Nemesis {
  const acts = listActs(stack.input.queue)
  const counts = new Map<string, number>()
  const stopping = new AbortController()
  const undone = new Set<Promise<void>>()
  const loop = async () => {
    for (let n = 0; n < (input.limit ?? Number.POSITIVE_INFINITY); n += 1) {
      await untilProgress(stack, random.int(input.points.min, input.points.max), stopping.signal)
      if (stopping.signal.aborted) return
      const own = random.fork(n)
      // With few acts each kind comes once before any comes twice, so that a short run has seen them all.
      const act = input.limit === undefined ? pickAct(acts, own) : pickRarest(acts, counts, own)
      counts.set(act.name, (counts.get(act.name) ?? 0) + 1)
      const doing = act.run(stack, own).catch(input.onFailure)
      undone.add(doing)
      doing.finally(() => undone.delete(doing))
      // A server that is down is down for all that follows; a process that stands still is not waited for.
      if (/Postgres|Redis/.test(act.name)) await doing
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
/** Without any progress: perhaps everything stands still. */
const LONGEST_MS = 12_000

async function untilProgress({ history }: Stack, points: number, signal: AbortSignal): Promise<void> {
  const count = () => history.list('point').length
  const [from, started] = [count(), Date.now()]
  do await sleep(SHORTEST_MS)
  while (!signal.aborted && count() - from < points && Date.now() - started < LONGEST_MS)
}
