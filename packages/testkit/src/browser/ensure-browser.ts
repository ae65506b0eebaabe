import { findProgram } from '../debian/find-program.ts'
import { canInstallPackages, installPackage } from '../debian/install-package.ts'

/**
 * Path of a Chromium: `CORRIGENDA_BROWSER`, else one that is installed. On Debian as root it is installed when missing.
 * @throws Error with the one line that says what to install
 */
export async function ensureBrowser(say: (line: string) => void = () => {}): Promise<string> {
  const chosen = process.env.CORRIGENDA_BROWSER
  if (chosen) return chosen
  const found = await findBrowser()
  if (found) return found
  if (await canInstallPackages()) {
    say('Installing chromium-headless-shell (the tests of the dashboard run in a real browser)...')
    await installPackage('chromium-headless-shell', async () => (await findBrowser()) !== null)
    const installed = await findBrowser()
    if (installed) return installed
  }
  throw new Error(
    'The tests of the dashboard need Chromium: install it (Debian: apt-get install chromium-headless-shell) or set CORRIGENDA_BROWSER.',
  )
}

/** Chromium without its own windows is the same engine, and a page in it costs a fifth of the time. */
const findBrowser = () =>
  findProgram(['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'])
