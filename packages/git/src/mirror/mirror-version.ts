import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type OpenPack, openPack } from '../objects/open-pack.ts'
import { type PackedObject, type ReadLimits, readPackedObject } from '../objects/read-packed-object.ts'
import { RepositoryError } from '../objects/repository-error.ts'
import { buildYielder } from '../objects/yield-to-event-loop.ts'
import type { FetchedPack } from './fetch-objects.ts'
import type { StagedPack } from './stage-pack.ts'
import { writeAtomically } from './write-atomically.ts'

/**
 * A bare, shallow gitdir on disk. Packs are added but never removed. A version with too many packs
 * is replaced with a new one.
 */
export interface MirrorVersion {
  readonly dir: string
  /** Minimum size in bytes of blobs that may be missing, or null if all blobs are present. */
  readonly blobLimit: number | null
  /** Total size of all packs in bytes. */
  bytes(): number
  /** Total size in bytes of the pack indexes, which are held in memory. */
  indexBytes(): number
  packs(): readonly { readonly path: string; readonly bytes: number }[]
  has(oid: string): boolean
  /**
   * Opens the packs that other processes have published since the last refresh. Returns true if it
   * finds new packs.
   */
  refresh(): Promise<boolean>
  /**
   * Reads an object.
   * @param maxBytes maximum size of the object; a larger object throws `too_large`
   * @throws {RepositoryError} `object_not_found`, `too_large`
   */
  readObject(oid: string, maxBytes?: number): Promise<PackedObject>
  /** Returns the commits that are complete in this version, newest first. */
  listTips(): Promise<readonly string[]>
  publish(pack: FetchedPack | StagedPack, tip: { name: string; commit: string } | null): Promise<void>
  /** Closes the pack files. Reads fail until the version is reopened. */
  close(): Promise<void>
  reopen(): void
}

const PACK_DIR = 'objects/pack'
const TIP_DIR = 'refs/tips'
const SHALLOW_DIR = 'shallows'
const MiB = 1024 * 1024
const DEFAULT_READ_LIMITS: ReadLimits = { maxBytes: 64 * MiB, maxChainBytes: 256 * MiB, maxDeltaDepth: 512 }
/** Path of the lease that protects a version while it is being built. */
export const BIRTH_LEASE = 'leases/birth'

export async function createMirrorVersion(dir: string, blobLimit: number | null): Promise<void> {
  for (const part of [PACK_DIR, TIP_DIR, SHALLOW_DIR, 'refs/heads', 'leases']) {
    await mkdir(join(dir, part), { recursive: true })
  }
  await writeFile(join(dir, 'HEAD'), 'ref: refs/heads/none\n')
  await writeFile(join(dir, 'config'), '[core]\n\trepositoryformatversion = 0\n\tbare = true\n')
  await writeFile(join(dir, 'mirror.json'), JSON.stringify({ blobLimit }))
  // Protects the version from removal until it becomes the current one, because no reader has
  // leased it yet.
  await writeFile(join(dir, BIRTH_LEASE), '')
}

/**
 * Opens the version in a directory.
 * @throws if the directory does not exist or is not a version
 */
export async function openMirrorVersion(dir: string, limits: ReadLimits = DEFAULT_READ_LIMITS): Promise<MirrorVersion> {
  const { blobLimit } = JSON.parse(await readFile(join(dir, 'mirror.json'), 'utf8')) as { blobLimit: number | null }
  const packs = new Map<string, OpenPack>()
  const yieldToEventLoop = buildYielder()

  const refresh = async () => {
    const names = await readdir(join(dir, PACK_DIR))
    let changed = false
    for (const file of names.filter((name) => /^pack-[0-9a-f]{40}\.idx$/.test(name))) {
      const name = file.slice(0, -4)
      if (packs.has(name)) continue
      packs.set(name, await openPack(join(dir, PACK_DIR, `${name}.pack`)))
      changed = true
    }
    return changed
  }

  const findPack = (oid: string): OpenPack | null => {
    for (const pack of packs.values()) if (pack.index.has(oid)) return pack
    return null
  }
  const sum = (toBytes: (pack: OpenPack) => number) => [...packs.values()].reduce((all, pack) => all + toBytes(pack), 0)

  const version: MirrorVersion = {
    dir,
    blobLimit,
    bytes: () => sum((pack) => pack.size),
    indexBytes: () => sum((pack) => pack.index.bytes),
    packs: () => [...packs].map(([name, pack]) => ({ path: join(dir, PACK_DIR, `${name}.pack`), bytes: pack.size })),
    has: (oid) => findPack(oid) !== null,
    refresh,
    async readObject(oid, maxBytes = limits.maxBytes) {
      const pack = findPack(oid) ?? ((await refresh()) ? findPack(oid) : null)
      if (!pack) throw new RepositoryError('object_not_found', 'A repository object is not in the cache.')
      return readPackedObject(pack, oid, { ...limits, maxBytes }, yieldToEventLoop)
    },
    async listTips() {
      const names = await readdir(join(dir, TIP_DIR))
      const tips: { commit: string; at: number }[] = []
      for (const name of names.filter((name) => /^[0-9a-f]{40}$/.test(name))) {
        const path = join(dir, TIP_DIR, name)
        tips.push({ commit: (await readFile(path, 'utf8')).trim(), at: (await stat(path)).mtimeMs })
      }
      tips.sort((a, b) => b.at - a.at)
      return [...new Set(tips.map((tip) => tip.commit))].filter(version.has)
    },
    async publish(pack, tip) {
      // This order lets readers work without locks, because each file becomes visible only after
      // the files that it depends on.
      const base = join(dir, PACK_DIR, `pack-${pack.name}`)
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
  return version
}

/**
 * Records that a branch is at a commit in this version. The file name is a digest of the branch
 * name, so it cannot collide with another name or escape the directory.
 */
async function writeTip(dir: string, tip: { name: string; commit: string }): Promise<void> {
  const path = join(dir, TIP_DIR, createHash('sha1').update(tip.name).digest('hex'))
  const now = await readFile(path, 'utf8').catch(() => '')
  if (now.trim() === tip.commit) await utimes(path, new Date(), new Date())
  else await writeAtomically(path, `${tip.commit}\n`)
}

/**
 * Adds a commit to git's `shallow` file, a single list that two processes may extend at the same
 * time. Each commit is first written to a separate file. After writing the list, each process
 * checks for new files, so the final list contains every commit.
 */
async function writeShallow(dir: string, commit: string): Promise<void> {
  await writeFile(join(dir, SHALLOW_DIR, commit), '')
  for (;;) {
    const commits = (await readdir(join(dir, SHALLOW_DIR))).sort()
    await writeAtomically(join(dir, 'shallow'), `${commits.join('\n')}\n`)
    const after = (await readdir(join(dir, SHALLOW_DIR))).sort()
    if (after.join() === commits.join()) return
  }
}
