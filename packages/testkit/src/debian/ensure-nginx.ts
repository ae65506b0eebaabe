import { findProgram } from './find-program.ts'
import { installPackage } from './install-package.ts'

const find = () => findProgram(['nginx'])

/**
 * Returns the path of nginx. Installs Debian's package if it is missing, without starting the system
 * service.
 * @throws Error with a one-line message that describes the manual step
 */
export async function ensureNginx(): Promise<string> {
  if ((await find()) === null) await installPackage('nginx', async () => (await find()) !== null)
  const program = await find()
  if (program === null) throw new Error('nginx is missing. Install it (Debian: apt-get install nginx).')
  return program
}
