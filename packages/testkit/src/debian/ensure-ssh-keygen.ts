import { findProgram } from './find-program.ts'
import { installPackage } from './install-package.ts'

const find = () => findProgram(['ssh-keygen'])

/**
 * Returns the path of `ssh-keygen`, which git runs to verify signatures. Installs Debian's package
 * if it is missing.
 * @throws Error with a one-line message that describes the manual step
 */
export async function ensureSshKeygen(): Promise<string> {
  if ((await find()) === null) await installPackage('openssh-client', async () => (await find()) !== null)
  const program = await find()
  if (program === null) throw new Error('ssh-keygen is missing. Install openssh-client.')
  return program
}
