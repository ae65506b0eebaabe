import type { SourceVisibility } from '@corrigenda/contracts'

/**
 * Returns the visibility of a source. An unknown visibility counts as private.
 * @param isPrivate what the host reports; null if it does not report it
 */
export function toVisibility(setting: SourceVisibility | null, isPrivate: boolean | null): SourceVisibility {
  return setting ?? (isPrivate === false ? 'public' : 'private')
}
