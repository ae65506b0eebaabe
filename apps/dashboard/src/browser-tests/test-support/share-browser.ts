import type { Browser } from '@corrigenda/testkit'
import { openBrowser } from '@corrigenda/testkit'

let shared: Promise<Browser> | null = null

/** One browser for all files of this process; it ends with the process. One that died is replaced. */
export async function shareBrowser(): Promise<Browser> {
  const known = await shared?.catch(() => null)
  if (!known?.isConnected()) shared = openBrowser()
  return shared ?? openBrowser()
}
