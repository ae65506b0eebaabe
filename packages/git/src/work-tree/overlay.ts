/** The modes that a work tree writes. */
export type OverlayMode = '100644' | '100755'

/** A path that differs from the base commit. Null content means deleted. */
export interface OverlayEntry {
  readonly path: string
  readonly mode: OverlayMode
  readonly content: Uint8Array | null
}

/**
 * A change since the last call to `takeDirty`. `reverted` marks a path that matches the base commit
 * again.
 */
export type DirtyEntry = OverlayEntry | { readonly path: string; readonly reverted: true }
