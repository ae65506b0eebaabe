import type { Browser } from '@corrigenda/testkit'
import { openBrowser } from '@corrigenda/testkit'

let shared: Promise<Browser> | null = null

/**
 * Returns the browser that all test files in this process share. It closes when the process exits.
 * A crashed browser is replaced.
 */
export async function shareBrowser(): Promise<Browser> {
  // A browser that failed to start is also replaced. The new attempt reports its own error.
  const known = await shared?.catch(() => null)
  if (!known?.isConnected()) shared = openBrowser()
  return shared ?? openBrowser()
}
