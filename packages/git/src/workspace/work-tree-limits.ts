export interface WorkTreeLimits {
  /** Bytes of one file, read or written. */
  readonly maxFileBytes: number
  /** Bytes of all changed files together. */
  readonly maxOverlayBytes: number
  readonly maxChangedFiles: number
}

export const defaultWorkTreeLimits: WorkTreeLimits = {
  maxFileBytes: 2 * 1024 * 1024,
  maxOverlayBytes: 32 * 1024 * 1024,
  maxChangedFiles: 300,
}
