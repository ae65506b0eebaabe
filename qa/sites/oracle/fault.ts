/** A difference between a change and its intention, found by the oracle. */
export interface Fault {
  /**
   * `damage`: something else changed, or a file no longer parses. `stale`: a reference to the old
   * path, address or anchor remains. `told`: it remains, and the tool said so. `unlisted`: a link to a deleted page was not listed.
   */
  readonly kind: 'damage' | 'stale' | 'told' | 'unlisted'
  readonly file: string
  /** 1-based; null if the fault concerns the whole file. */
  readonly line: number | null
  readonly message: string
}
