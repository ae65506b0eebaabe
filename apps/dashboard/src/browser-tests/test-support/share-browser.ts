import type { Browser } from '@corrigenda/testkit'
import { openBrowser } from '@corrigenda/testkit'

let shared: Promise<Browser> | null = null

/**
 * Returns the browser that all files of this process share. It ends with the process. A crashed
 * browser is replaced.
 */
export async function shareBrowser(): Promise<Browser> {
  const known = await shared?.catch(() => null)
  if (!known?.isConnected()) shared = openBrowser()
  return shared ?? openBrowser()
}
