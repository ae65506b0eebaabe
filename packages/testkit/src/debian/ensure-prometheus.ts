import { findProgram } from './find-program.ts'
import { installPackage } from './install-package.ts'

const find = () => findProgram(['prometheus'])

/**
 * Returns the path of the Prometheus server. Installs Debian's package, which also contains promtool,
 * if it is missing, without starting the system service.
 * @throws Error with a one-line message that describes the manual step
 */
export async function ensurePrometheus(): Promise<string> {
  if ((await find()) === null) await installPackage('prometheus', async () => (await find()) !== null)
  const program = await find()
  if (program === null) throw new Error('prometheus is missing. Install it (Debian: apt-get install prometheus).')
  return program
}
