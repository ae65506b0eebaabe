import type { Browser } from '../../../../../packages/testkit/src/index.ts'
import { openBrowser } from '../../../../../packages/testkit/src/index.ts'

let shared: Promise<Browser> | null = null

/** One browser for all files of this process; it ends with the process. One that died is replaced. */
export async function shareBrowser(): Promise<Browser> {
  const known = await shared?.catch(() => null)
  if (!known?.isConnected()) shared = openBrowser()
  return shared ?? openBrowser()
}
