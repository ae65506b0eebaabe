import { randomUUID } from 'node:crypto'
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isLeased } from './mirror-version-lease.ts'

/**
 * Age in milliseconds after which a directory left by an unfinished build or a failed removal is
 * deleted.
 */
const LEFTOVER_MS = 60 * 60_000

interface Candidate {
  readonly dir: string
  readonly bytes: number
  readonly usedAt: number
  readonly current: boolean
}

/**
 * Shrinks the cache to at most `maxBytes`. First removes all replaced versions, then the least
 * recently used versions until the limit is met. Never removes a leased version, even if the cache
 * then exceeds the limit.
 * @returns the removed directories
 */
export async function evictMirrors(cacheDir: string, maxBytes: number): Promise<string[]> {
  const candidates: Candidate[] = []
  for (const key of await readdir(cacheDir).catch(() => [])) {
    const mirror = join(cacheDir, key)
    const current = await readFile(join(mirror, 'current'), 'utf8').catch(() => '')
    const usedAt = (await stat(join(mirror, 'used')).catch(() => null))?.mtimeMs ?? 0
    for (const name of await readdir(mirror).catch(() => [])) {
      const dir = join(mirror, name)
      if (name.startsWith('g-')) {
        candidates.push({ dir, bytes: await measure(dir), usedAt, current: name === current })
      } else if (name.startsWith('tmp') || name.startsWith('trash-')) {
        const facts = await stat(dir).catch(() => null)
        if (facts && Date.now() - facts.mtimeMs > LEFTOVER_MS) await rm(dir, { recursive: true, force: true })
      }
    }
  }
  candidates.sort((a, b) => Number(a.current) - Number(b.current) || a.usedAt - b.usedAt)
  let total = candidates.reduce((sum, candidate) => sum + candidate.bytes, 0)
  const removed: string[] = []
  for (const candidate of candidates) {
    if (candidate.current && total <= maxBytes) continue
    if (!(await removeMirrorVersion(candidate.dir))) continue
    total -= candidate.bytes
    removed.push(candidate.dir)
  }
  return removed
}

/** Removes a version unless it is leased. Returns false if the version was not removed. */
async function removeMirrorVersion(dir: string): Promise<boolean> {
  if (await isLeased(dir)) return false
  const trash = join(dir, '..', `trash-${randomUUID()}`)
  try {
    await rename(dir, trash)
  } catch {
    return false
  }
  // A lease may have been added between the check and the rename. It was moved with the directory,
  // so it is visible now.
  if (await isLeased(trash)) {
    await rename(trash, dir).catch(() => undefined)
    return false
  }
  await rm(trash, { recursive: true, force: true })
  return true
}

async function measure(dir: string): Promise<number> {
  let bytes = 0
  const packs = join(dir, 'objects/pack')
  for (const name of await readdir(packs).catch(() => [])) {
    bytes += (await stat(join(packs, name)).catch(() => null))?.size ?? 0
  }
  return bytes
}
