import { findProgram } from '../debian/find-program.ts'
import { canInstallPackages, installPackage } from '../debian/install-package.ts'

/**
 * Returns the path of a Chromium: `CORRIGENDA_BROWSER`, else an installed one. On Debian as root,
 * installs it when it is missing.
 * @throws Error with one line that names the package to install
 */
export async function ensureBrowser(say: (line: string) => void = () => {}): Promise<string> {
  const chosen = process.env.CORRIGENDA_BROWSER
  if (chosen) return chosen
  const found = await findBrowser()
  if (found) return found
  if (await canInstallPackages()) {
    say('Installing chromium-headless-shell (the dashboard tests run in a real browser)...')
    await installPackage('chromium-headless-shell', async () => (await findBrowser()) !== null)
    const installed = await findBrowser()
    if (installed) return installed
  }
  throw new Error(
    'The dashboard tests require Chromium. Install it (Debian: apt-get install chromium-headless-shell) or set CORRIGENDA_BROWSER.',
  )
}

/**
 * The headless shell is the same engine without windows. It loads a page in a fifth of the time.
 */
const findBrowser = () =>
  findProgram(['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'])
