import type { Located } from '../../config/config-files.ts'
import { findProperty } from '../../config/literal.ts'

/** Returns the value of a setting in the nearest configuration that has it, or null. */
export function findSetting(chain: readonly Located[], ...path: readonly string[]): Located | null {
  for (const { file, literal } of chain) {
    const found = findProperty(literal, ...path)
    if (found !== null) return { file, literal: found }
  }
  return null
}
