import { access, constants } from 'node:fs/promises'
import path from 'node:path'

/** Returns the path of the first installed program in the list, or null. */
export async function findProgram(names: readonly string[]): Promise<string | null> {
  const dirs = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/bin', '/usr/local/bin', '/usr/sbin'].filter(
    Boolean,
  )
  for (const name of names) {
    for (const dir of dirs) {
      const file = path.join(dir, name)
      const runs = await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
      if (runs) return file
    }
  }
  return null
}
