/** Modes the agent's files can have. */
export type OverlayMode = '100644' | '100755'

/** One path that differs from the base commit. Null content means deleted. */
export interface OverlayEntry {
  readonly path: string
  readonly mode: OverlayMode
  readonly content: Uint8Array | null
}

/** What changed since the last look; `reverted` is a path that is as in the base commit again. */
export type DirtyEntry = OverlayEntry | { readonly path: string; readonly reverted: true }
