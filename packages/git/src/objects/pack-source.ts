import type { PackIndex } from './pack-index.ts'

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag'

/** A pack that supports partial reads. */
export interface PackSource {
  readonly index: PackIndex
  /** Size of the pack in bytes, including its checksum. */
  readonly size: number
  /**
   * Reads the bytes from `start` (inclusive) to `end` (exclusive).
   * @throws if the pack is shorter
   */
  read(start: number, end: number): Buffer | Promise<Buffer>
}
