import { getSetupToken, isSetUp, type PeopleDeps } from '@corrigenda/core/accounts'
import type { Log } from '@corrigenda/core/runtime'

/** Tells the operator, and nobody else, how the first account is made; silent once there is one. */
export async function logSetupToken(deps: PeopleDeps & { log: Log; publicUrl: string }): Promise<void> {
  if (await isSetUp(deps)) return
  const token = await getSetupToken(deps)
  // Shown at the usual levels of a service, also where only warnings are kept: without it nobody could begin.
  deps.log.warn(`There is no account yet. Open ${deps.publicUrl}/setup and use this token: ${token}`)
}
