import { findProgram } from './find-program.ts'
import { installPackage } from './install-package.ts'

const find = () => findProgram(['pgbouncer'])

/**
 * Returns the path of PgBouncer. Installs Debian's package if it is missing, without starting the
 * system service.
 * @throws Error with a one-line message that describes the manual step
 */
export async function ensurePgBouncer(): Promise<string> {
  if ((await find()) === null) await installPackage('pgbouncer', async () => (await find()) !== null)
  const program = await find()
  if (program === null) throw new Error('pgbouncer is missing. Install it (Debian: apt-get install pgbouncer).')
  return program
}
