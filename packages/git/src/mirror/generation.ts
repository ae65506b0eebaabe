import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildBreathe } from '../objects/breathe.ts'
import { type OpenPack, openPack } from '../objects/open-pack.ts'
import { type PackedObject, type ReadLimits, readPackedObject } from '../objects/read-packed-object.ts'
import { RepositoryError } from '../objects/repository-error.ts'
import type { FetchedPack } from './fetch-objects.ts'
import type { StagedPack } from './stage-pack.ts'
import { writeAtomically } from './write-atomically.ts'

/** One bare, shallow gitdir on disk. It only ever gains packs; when it has too many a new one takes its place. */
export interface Generation {
  readonly dir: string
  /** Blobs of at least this many bytes may be missing; null when none is. */
  readonly blobLimit: number | null
  /** Bytes of all packs. */
  bytes(): number
  /** Bytes of their indexes, which are held in memory. */
  indexBytes(): number
  packs(): readonly { readonly path: string; readonly bytes: number }[]
  has(oid: string): boolean
  /** See the packs other processes published since. True when there were any. */
  refresh(): Promise<boolean>
  /** @param maxBytes of the object; one more is `too_large` @throws {RepositoryError} `object_not_found`, `too_large` */
  readObject(oid: string, maxBytes?: number): Promise<PackedObject>
  /** Commits known to be complete, newest first. */
  listTips(): Promise<readonly string[]>
  publish(pack: FetchedPack | StagedPack, tip: { name: string; commit: string } | null): Promise<void>
  /** Gives its files back. Reads fail until it is reopened. */
  close(): Promise<void>
  reopen(): void
}

const packDir = 'objects/pack'
const tipDir = 'refs/tips'
const shallowDir = 'shallows'
const MiB = 1024 * 1024
const defaultReadLimits: ReadLimits = { maxBytes: 64 * MiB, maxChainBytes: 256 * MiB, maxDeltaDepth: 512 }
/** Held by a generation that is being built. */
export const birthLease = 'leases/birth'

export async function createGeneration(dir: string, blobLimit: number | null): Promise<void> {
  for (const part of [packDir, tipDir, shallowDir, 'refs/heads', 'leases']) {
    await mkdir(join(dir, part), { recursive: true })
  }
  await writeFile(join(dir, 'HEAD'), 'ref: refs/heads/none\n')
  await writeFile(join(dir, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n')
  await writeFile(join(dir, 'mirror.json'), JSON.stringify({ blobLimit }))
  // Until it is the current one nobody leases it, and nobody may sweep it away.
  await writeFile(join(dir, birthLease), '')
}

/** @throws when the directory is not there or not a generation */
export async function openGeneration(dir: string, limits: ReadLimits = defaultReadLimits): Promise<Generation> {
  const { blobLimit } = JSON.parse(await readFile(join(dir, 'mirror.json'), 'utf8')) as { blobLimit: number | null }
  const packs = new Map<string, OpenPack>()
  const breathe = buildBreathe()

  const refresh = async () => {
    const names = await readdir(join(dir, packDir))
    let changed = false
    for (const file of names.filter((name) => /^pack-[0-9a-f]{40}\.idx$/.test(name))) {
      const name = file.slice(0, -4)
      if (packs.has(name)) continue
      packs.set(name, await openPack(join(dir, packDir, `${name}.pack`)))
      changed = true
    }
    return changed
  }

  const findPack = (oid: string): OpenPack | null => {
    for (const pack of packs.values()) if (pack.index.has(oid)) return pack
    return null
  }
  const sum = (toBytes: (pack: OpenPack) => number) => [...packs.values()].reduce((all, pack) => all + toBytes(pack), 0)

  const generation: Generation = {
    dir,
    blobLimit,
    bytes: () => sum((pack) => pack.size),
    indexBytes: () => sum((pack) => pack.index.bytes),
    packs: () => [...packs].map(([name, pack]) => ({ path: join(dir, packDir, `${name}.pack`), bytes: pack.size })),
    has: (oid) => findPack(oid) !== null,
    refresh,
    async readObject(oid, maxBytes = limits.maxBytes) {
      const pack = findPack(oid) ?? ((await refresh()) ? findPack(oid) : null)
      if (!pack) throw new RepositoryError('object_not_found', 'An object of the repository is not in the cache.')
      return readPackedObject(pack, oid, { ...limits, maxBytes }, breathe)
    },
    async listTips() {
      const names = await readdir(join(dir, tipDir))
      const tips: { commit: string; at: number }[] = []
      for (const name of names.filter((name) => /^[0-9a-f]{40}$/.test(name))) {
        const path = join(dir, tipDir, name)
        tips.push({ commit: (await readFile(path, 'utf8')).trim(), at: (await stat(path)).mtimeMs })
      }
      tips.sort((a, b) => b.at - a.at)
      return [...new Set(tips.map((tip) => tip.commit))].filter(generation.has)
    },
    async publish(pack, tip) {
      // The order is what lets readers do without locks: nothing is visible before everything it needs is.
      const base = join(dir, packDir, `pack-${pack.name}`)
      for (const part of ['pack', 'idx'] as const) {
        if ('dir' in pack) await rename(join(pack.dir, `${pack.name}.${part}`), `${base}.${part}`)
        else await writeAtomically(`${base}.${part}`, pack[part])
      }
      if (tip) {
        await writeShallow(dir, tip.commit)
        await writeTip(dir, tip)
      }
      await refresh()
    },
    reopen() {
      for (const pack of packs.values()) pack.reopen()
    },
    async close() {
      for (const pack of packs.values()) await pack.close()
    },
  }
  await refresh()
  return generation
}

/** Remember that a branch is at a commit we have. Branch names become digests: no name can collide with or leave the directory. */
export async function writeTip(dir: string, tip: { name: string; commit: string }): Promise<void> {
  const path = join(dir, tipDir, createHash('sha1').update(tip.name).digest('hex'))
  const now = await readFile(path, 'utf8').catch(() => '')
  if (now.trim() === tip.commit) await utimes(path, new Date(), new Date())
  else await writeAtomically(path, `${tip.commit}\n`)
}

/**
 * git's `shallow` file is one list that two processes may want to extend at once. Each commit is first noted as a file of its own, and
 * whoever writes the list looks again afterwards; so the last writer's list holds every note.
 */
async function writeShallow(dir: string, commit: string): Promise<void> {
  await writeFile(join(dir, shallowDir, commit), '')
  for (;;) {
    const commits = (await readdir(join(dir, shallowDir))).sort()
    await writeAtomically(join(dir, 'shallow'), `${commits.join('\n')}\n`)
    const after = (await readdir(join(dir, shallowDir))).sort()
    if (after.join() === commits.join()) return
  }
}
