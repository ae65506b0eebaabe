export interface WorkTreeLimits {
  /** Maximum size of a file that is read or written, in bytes. */
  readonly maxFileBytes: number
  /** Maximum total size of all changed files, in bytes. */
  readonly maxOverlayBytes: number
  readonly maxChangedFiles: number
}

export const DEFAULT_WORK_TREE_LIMITS: WorkTreeLimits = {
  maxFileBytes: 2 * 1024 * 1024,
  maxOverlayBytes: 32 * 1024 * 1024,
  maxChangedFiles: 300,
}
