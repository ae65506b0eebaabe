import { type GitObjects, MissingObjectError } from './open-objects.ts'

interface MissingObjects {
  readonly objects: GitObjects
  /** Ids of the missing blobs that were read. */
  readonly missing: ReadonlySet<string>
}

/**
 * Reads blobs that a clone lacks as empty files and records their ids. For clones with a size
 * filter, which lack large images.
 */
export function readMissingAsEmpty(objects: GitObjects): MissingObjects {
  const missing = new Set<string>()
  return {
    missing,
    objects: {
      ...objects,
      async readBlob(oid) {
        try {
          return await objects.readBlob(oid)
        } catch (error) {
          if (!(error instanceof MissingObjectError)) throw error
          missing.add(oid)
          return new Uint8Array()
        }
      },
    },
  }
}
