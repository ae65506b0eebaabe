import type { AccessResult } from '../git-host.ts'
import { GitHostError } from '../git-host-error.ts'

/** Runs a request that tests a permission. A write is granted if the host only rejects its values. */
export async function toAccessResult(request: () => Promise<unknown>): Promise<AccessResult> {
  try {
    await request()
    return 'granted'
  } catch (error) {
    if (!(error instanceof GitHostError)) throw error
    if (error.code === 'validation') return 'granted'
    if (error.code === 'forbidden' || error.code === 'unauthorized') return 'refused'
    if (error.code === 'not_found') return 'missing'
    throw error
  }
}
