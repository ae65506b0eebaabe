import { type AccountDeps, getSetupToken, isSetUp } from '@corrigenda/core/accounts'
import type { Log } from '@corrigenda/core/runtime'

/** Logs the URL and token for creating the first account, unless an account already exists. */
export async function logSetupToken(deps: AccountDeps & { log: Log; publicUrl: string }): Promise<void> {
  if (await isSetUp(deps)) return
  const token = await getSetupToken(deps)
  // Logged as a warning, so that it is visible at the usual log levels. Setup from another machine
  // requires the token.
  deps.log.warn(`no account exists; open ${deps.publicUrl}/setup and use this token: ${token}`)
}
