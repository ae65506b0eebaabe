import { findProgram } from '../debian/find-program.ts'
import { canInstallPackages, installPackage } from '../debian/install-package.ts'

/**
 * Returns the path of a Chromium executable: `CORRIGENDA_BROWSER` if set, or else an installed
 * executable. As root on Debian, installs Chromium if it is missing.
 * @throws Error with a one-line message that names the package to install
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

/** Prefers the headless shell, which uses the same engine and loads pages five times as fast. */
const findBrowser = () =>
  findProgram(['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'])
