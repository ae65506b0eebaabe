import type { Browser } from 'playwright-core'
import { ensureBrowser } from './ensure-browser.ts'

/** One real Chromium without a window; shared by the tests of a file. It finds no host but this machine. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = await ensureBrowser(console.log)
  // Loaded here: whoever uses the rest of the test kit does not pay for it.
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
