import { deflateSync } from 'node:zlib'
import { hashObject } from '../objects/hash-object.ts'
import { isTreeMode } from '../objects/parse-tree.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'

/** What a checkout reads of a repository, as loose objects. */
export interface CheckoutObjects {
  /** Root tree, with modes as isomorphic-git knows them. */
  readonly tree: string
  /** A loose object. @throws {RepositoryError} `too_large` for a file that would hold the event loop */
  read(oid: string): Promise<Buffer>
}

/** isomorphic-git inflates on the event loop. */
const maxFileBytes = 16 * 1024 * 1024
/** Modes that Git reads as if they were others (git's `canon_mode`), and isomorphic-git not at all. */
const canonicalModes: Readonly<Record<string, string>> = { '100664': '100644', '040000': '40000' }

/**
 * The objects of a snapshot for `git.checkout`. They come one by one from the snapshot's own reader, since isomorphic-git would load whole
 * packs; and trees with modes of old tools are written anew, under ids of their own, which only the checkout sees.
 * @throws {RepositoryError}
 */
export async function buildCheckoutObjects(snapshot: Snapshot, blobs: readonly string[]): Promise<CheckoutObjects> {
  // isomorphic-git prints what it cannot read and carries on, so whatever is refused has to be refused before; reading twice is once.
  for (const oid of blobs) await snapshot.readBlob(oid, maxFileBytes)
  const trees = new Map<string, Buffer>()
  const done = new Map<string, string>()

  const canonize = async (oid: string): Promise<string> => {
    const known = done.get(oid)
    if (known !== undefined) return known
    const { entries } = await snapshot.readTree(oid)
    const parts: Buffer[] = []
    for (const { mode, nameBytes, oid: child } of entries) {
      const childOid = isTreeMode(mode) ? await canonize(child) : child
      const head = Buffer.from(`${canonicalModes[mode] ?? mode} `)
      parts.push(head, nameBytes, Buffer.from([0]), Buffer.from(childOid, 'hex'))
    }
    const bytes = Buffer.concat(parts)
    const canonical = hashObject('tree', bytes)
    trees.set(canonical, bytes)
    done.set(oid, canonical)
    return canonical
  }

  return {
    tree: await canonize(snapshot.tree),
    async read(oid) {
      const tree = trees.get(oid)
      const bytes = tree ?? (await snapshot.readBlob(oid, maxFileBytes))
      const header = Buffer.from(`${tree ? 'tree' : 'blob'} ${bytes.length}\0`)
      return deflateSync(Buffer.concat([header, bytes]), { level: 0 })
    },
  }
}
