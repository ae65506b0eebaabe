import type { PartName, PartOptions, PartResult } from './parts/part.ts'
import { runPoints } from './parts/run-points.ts'
import { runRandom } from './parts/run-random.ts'
import { runRecovery } from './parts/run-recovery.ts'
import { runSoak } from './parts/run-soak.ts'
import { runZombies } from './parts/run-zombies.ts'
import type { Call } from './read-call.ts'

const RUN: Readonly<Record<PartName, (options: PartOptions) => Promise<PartResult>>> = {
  random: runRandom,
  points: runPoints,
  zombies: runZombies,
  recovery: runRecovery,
  soak: runSoak,
}

/** Runs the parts one after another on each queue. Concurrent parts would slow each other down. */
export async function runParts(
  call: Omit<Call, 'json'> & { seed: number },
  hooks: Pick<PartOptions, 'say' | 'signal'> & { onResult: (result: PartResult) => void },
): Promise<PartResult[]> {
  const { parts, queues, ...options } = call
  const results: PartResult[] = []
  for (const queue of queues) {
    for (const part of parts) {
      if (hooks.signal.aborted) return results
      const result = await RUN[part]({ ...options, queue, say: hooks.say, signal: hooks.signal })
      hooks.onResult(result)
      results.push(result)
    }
  }
  return results
}
