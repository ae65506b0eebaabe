import { elapsedSince, readClocks } from '@corrigenda/core/leases'
import type { HeldRun } from './hold-run.ts'

/**
 * Time in ms after which the database is asked again. A run of a worker that has lost its session
 * can be taken over two seconds later, long before its lease expires.
 */
const FRESH_MS = 1_000
/** Limits the questions if the database takes longer to answer. */
const MAX_TRIES = 5

/**
 * Checks immediately before an irreversible action that this worker holds the run. A process that
 * was suspended during the check repeats it.
 * @param assertWritable checks in the database; throws LostLeaseError
 */
export async function confirmHeld(
  lease: Pick<HeldRun, 'assertHeld'>,
  assertWritable: () => Promise<void>,
): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const asked = readClocks()
    await assertWritable()
    lease.assertHeld()
    if (elapsedSince(asked) < FRESH_MS) return
  }
}
