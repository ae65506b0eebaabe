import { findProgram } from '../debian/find-program.ts'
import { canInstallPackages, installPackage } from '../debian/install-package.ts'

/**
 * Returns the path of a Redis (or Valkey) server executable. As root on Debian, installs it if it
 * is missing, without starting the system service.
 * @throws Error with a one-line message that names the package to install
 */
export async function ensureRedisServer(say: (line: string) => void = () => {}): Promise<string> {
  const found = await findServer()
  if (found) return found
  if (await canInstallPackages()) {
    say('Installing redis-server (the queue tests run on a real Redis)...')
    await installPackage('redis-server', async () => (await findServer()) !== null)
    const installed = await findServer()
    if (installed) return installed
  }
  throw new Error(
    'The tests require a Redis server. Install redis-server (Debian: apt-get install redis-server) or valkey-server.',
  )
}

const findServer = () => findProgram(['redis-server', 'valkey-server'])
