import { existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { getRepository, type HostState, toRepositoryPath } from './host/host-state.ts'

/**
 * Renames or transfers a repository. Its ID does not change, and the previous name redirects to the
 * new one.
 */
export async function renameRepository(state: HostState, full: string, to: string): Promise<void> {
  const { dir, record } = getRepository(state, full)
  const target = toRepositoryPath(state.root, to)
  if (existsSync(target)) throw new Error(`The repository ${to} already exists`)
  await mkdir(dirname(target), { recursive: true })
  await rename(dir, target)
  state.records.delete(full)
  state.records.set(to, record)
  for (const [former, present] of state.moved) if (present === full) state.moved.set(former, to)
  state.moved.delete(to)
  state.moved.set(full, to)
  state.save()
}
