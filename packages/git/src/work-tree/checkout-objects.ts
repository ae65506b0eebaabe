import { deflateSync } from 'node:zlib'
import { hashObject } from '../objects/hash-object.ts'
import type { Snapshot } from '../snapshot/snapshot.ts'

/** The loose objects that a checkout reads. */
export interface CheckoutObjects {
  /** Root tree, with the modes that isomorphic-git supports. */
  readonly tree: string
  /**
   * Reads a loose object.
   * @throws {RepositoryError} `too_large` for a file that would block the event loop
   */
  read(oid: string): Promise<Buffer>
}

/** Size limit in bytes, because isomorphic-git inflates on the event loop. */
const MAX_FILE_BYTES = 16 * 1024 * 1024

/**
 * Builds a snapshot's objects for `git.checkout`. The snapshot reads them one by one, because
 * isomorphic-git would load entire packs. Trees with modes from old tools are rewritten under new
 * IDs, which only the checkout uses.
 * @throws {RepositoryError}
 */
export async function buildCheckoutObjects(snapshot: Snapshot, blobs: readonly string[]): Promise<CheckoutObjects> {
  // isomorphic-git prints read errors and continues, so all files are checked before the checkout.
  // The second read of each blob uses the cache.
  for (const oid of blobs) await snapshot.readBlob(oid, MAX_FILE_BYTES)
  const trees = new Map<string, Buffer>()
  const done = new Map<string, string>()

  const canonize = async (oid: string): Promise<string> => {
    const known = done.get(oid)
    if (known !== undefined) return known
    const { entries } = await snapshot.readTree(oid)
    const parts: Buffer[] = []
    for (const { mode, nameBytes, oid: child } of entries) {
      const childOid = mode === '40000' ? await canonize(child) : child
      const head = Buffer.from(`${mode} `)
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
      const bytes = tree ?? (await snapshot.readBlob(oid, MAX_FILE_BYTES))
      const header = Buffer.from(`${tree ? 'tree' : 'blob'} ${bytes.length}\0`)
      return deflateSync(Buffer.concat([header, bytes]), { level: 0 })
    },
  }
}
