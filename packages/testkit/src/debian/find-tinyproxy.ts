import { findProgram } from './find-program.ts'
import { canInstallPackages, installPackage } from './install-package.ts'

const find = () => findProgram(['tinyproxy'])

/** Returns the path of Tinyproxy, or null. Installs Debian's package if it is missing and that is possible. */
export async function findTinyproxy(): Promise<string | null> {
  const found = await find()
  if (found !== null || !(await canInstallPackages())) return found
  await installPackage('tinyproxy-bin', async () => (await find()) !== null).catch(() => {})
  return find()
}
