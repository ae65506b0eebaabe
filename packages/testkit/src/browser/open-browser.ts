import type { Browser } from 'playwright-core'
import { ensureBrowser } from './ensure-browser.ts'

/**
 * Starts a real headless Chromium for all tests in a file. The only host name that it can resolve
 * is localhost.
 */
export async function openBrowser(): Promise<Browser> {
  const executablePath = await ensureBrowser(console.log)
  // Loaded here, so that other users of the testkit do not load it.
  const { chromium } = await import('playwright-core')
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--disable-gpu',
      '--force-color-profile=srgb',
      '--font-render-hinting=none',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
    ],
  })
}
