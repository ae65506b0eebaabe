export interface WorkTreeLimits {
  /** Maximum bytes of one file, read or written. */
  readonly maxFileBytes: number
  /** Maximum bytes of all changed files together. */
  readonly maxOverlayBytes: number
  readonly maxChangedFiles: number
}

export const DEFAULT_WORK_TREE_LIMITS: WorkTreeLimits = {
  maxFileBytes: 2 * 1024 * 1024,
  maxOverlayBytes: 32 * 1024 * 1024,
  maxChangedFiles: 300,
}
