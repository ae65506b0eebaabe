import { randomUUID } from 'node:crypto'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import type { SecretOutput } from './declaration.ts'

interface SecretStore {
  save(secret: string): Promise<void>
  /** Removes what is left if no secret was saved. */
  close(): Promise<void>
}

/**
 * Prepares a file for a secret, so that a secret is created only if it can be stored. Replaces the
 * file atomically. Only its owner can read it.
 * @param input.label adds a line to the file instead of replacing it
 * @throws Error that names the file if it cannot be written
 */
export async function openSecretStore(
  output: Exclude<SecretOutput, 'print'>,
  { folder, label }: { readonly folder: string; readonly label: string | undefined },
): Promise<SecretStore> {
  const file = path.resolve(folder, output.file)
  const draft = label === undefined ? `${file}.${randomUUID()}` : file
  const handle = await openFile(draft, label === undefined ? 'wx' : 'a', output.file)
  return {
    async save(secret) {
      await handle.writeFile(label === undefined ? `${secret}\n` : `${label} ${secret}\n`)
      await handle.sync()
      if (draft !== file) await rename(draft, file)
    },
    async close() {
      await handle.close()
      if (draft !== file) await rm(draft, { force: true })
    },
  }
}

async function openFile(file: string, flags: 'wx' | 'a', shown: string) {
  try {
    await mkdir(path.dirname(file), { recursive: true })
    const handle = await open(file, flags, 0o600)
    // A file that exists would keep its mode.
    await handle.chmod(0o600)
    return handle
  } catch (error) {
    throw new Error(`The file ${shown} cannot be written (${(error as NodeJS.ErrnoException).code}).`)
  }
}
