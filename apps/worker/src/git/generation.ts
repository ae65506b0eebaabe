import { createHash } from 'node:crypto'
import { mkdir, open, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import git from 'isomorphic-git'
import type { FetchedPack } from './fetch-objects.ts'
import { buildObjectFs, type FileLayer, virtualGitdir } from './object-fs.ts'
import { type PackIndex, toPackIndex } from './pack-index.ts'
import { RepositoryError } from './repository-error.ts'
import { writeAtomically } from './write-atomically.ts'

/** One bare, shallow gitdir on disk. It only ever gains packs; when it has too many a new one takes its place. */
export interface Generation {
  readonly dir: string
  /** Blobs of at least this many bytes may be missing; null when none is. */
  readonly blobLimit: number | null
  readonly layer: FileLayer
  /** isomorphic-git's cache of packs and indexes for this directory. */
  readonly cache: object
  /** Bytes of all packs. */
  bytes(): number
  packs(): readonly { readonly path: string; readonly bytes: number }[]
  has(oid: string): boolean
  /** See the packs other processes published since. True when there were any. */
  refresh(): Promise<boolean>
  /** @throws {RepositoryError} `object_not_found` */
  readObject(oid: string): Promise<Buffer>
  /** Commits known to be complete, newest first. */
  listTips(): Promise<readonly string[]>
  publish(fetched: FetchedPack, tip: { name: string; commit: string } | null): Promise<void>
}

const packDir = 'objects/pack'
const tipDir = 'refs/tips'
const shallowDir = 'shallows'
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
export async function openGeneration(dir: string): Promise<Generation> {
  const { blobLimit } = JSON.parse(await readFile(join(dir, 'mirror.json'), 'utf8')) as { blobLimit: number | null }
  const packs = new Map<string, { index: PackIndex; idx: ArrayBuffer; bytes: number }>()
  const layer: FileLayer = {
    async read(path) {
      const name = basename(path)
      if (name.endsWith('.idx')) return packs.get(name.slice(0, -4))?.idx ?? null
      return readWhole(join(dir, packDir, name))
    },
    listPacks: async () => [...packs.keys()].map((name) => `${name}.idx`),
  }
  const fs = buildObjectFs(new Map(), layer)
  const cache = {}

  const refresh = async () => {
    const names = await readdir(join(dir, packDir))
    let changed = false
    for (const file of names.filter((name) => /^pack-[0-9a-f]{40}\.idx$/.test(name))) {
      const name = file.slice(0, -4)
      if (packs.has(name)) continue
      const idx = await readWhole(join(dir, packDir, file))
      const { size } = await stat(join(dir, packDir, `${name}.pack`))
      if (!idx) continue
      packs.set(name, { index: toPackIndex(idx), idx, bytes: size })
      changed = true
    }
    return changed
  }

  const has = (oid: string) => [...packs.values()].some((pack) => pack.index.has(oid))

  const generation: Generation = {
    dir,
    blobLimit,
    layer,
    cache,
    bytes: () => [...packs.values()].reduce((sum, pack) => sum + pack.bytes, 0),
    packs: () => [...packs].map(([name, pack]) => ({ path: join(dir, packDir, `${name}.pack`), bytes: pack.bytes })),
    has,
    refresh,
    async readObject(oid) {
      if (!has(oid) && !(await refresh()) && !has(oid)) {
        throw new RepositoryError('object_not_found', 'An object of the repository is not in the cache.')
      }
      const { object } = await git.readObject({ fs, cache, gitdir: virtualGitdir, oid, format: 'content' })
      return object as Buffer
    },
    async listTips() {
      const names = await readdir(join(dir, tipDir))
      const tips: { commit: string; at: number }[] = []
      for (const name of names.filter((name) => /^[0-9a-f]{40}$/.test(name))) {
        const path = join(dir, tipDir, name)
        tips.push({ commit: (await readFile(path, 'utf8')).trim(), at: (await stat(path)).mtimeMs })
      }
      tips.sort((a, b) => b.at - a.at)
      return [...new Set(tips.map((tip) => tip.commit))].filter(has)
    },
    async publish(fetched, tip) {
      // The order is what lets readers do without locks: nothing is visible before everything it needs is.
      const base = join(dir, packDir, `pack-${fetched.name}`)
      await writeAtomically(`${base}.pack`, fetched.pack)
      await writeAtomically(`${base}.idx`, fetched.idx)
      if (tip) {
        await writeShallow(dir, tip.commit)
        await writeTip(dir, tip)
      }
      await refresh()
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

/** A file as an ArrayBuffer of its own: isomorphic-git copies anything else. Null when it is not there. */
async function readWhole(path: string): Promise<ArrayBuffer | null> {
  const file = await open(path).catch(() => null)
  if (!file) return null
  try {
    const { size } = await file.stat()
    const bytes = new ArrayBuffer(size)
    let read = 0
    while (read < size) {
      const { bytesRead } = await file.read(new Uint8Array(bytes, read))
      if (bytesRead === 0) break
      read += bytesRead
    }
    return bytes
  } finally {
    await file.close()
  }
}
