import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FetchedPack } from './fetch-objects.ts'

/**
 * A checked pack on disk, `<name>.pack` and `<name>.idx` in a directory, before it is published to
 * a version.
 */
export interface StagedPack {
  readonly name: string
  readonly dir: string
}

/**
 * Writes a checked pack and its index to a directory.
 * @param dir created here; the caller removes it
 */
export async function stagePack(fetched: FetchedPack, dir: string): Promise<StagedPack> {
  await mkdir(dir, { recursive: true })
  await writeFile(join(dir, `${fetched.name}.pack`), fetched.pack)
  await writeFile(join(dir, `${fetched.name}.idx`), fetched.idx)
  return { name: fetched.name, dir }
}
