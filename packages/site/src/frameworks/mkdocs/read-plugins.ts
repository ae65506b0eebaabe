import type { Located } from '../../config/config-files.ts'
import { type Literal, toItems, toProperties } from '../../config/literal.ts'

export interface MkdocsPlugin {
  readonly name: string
  readonly options: Literal | null
}

/** Reads `plugins` or `markdown_extensions`, which are a list or a map. */
export function readPlugins(at: Located | null): MkdocsPlugin[] {
  const toPlugins = (literal: Literal) =>
    toProperties(literal).map(({ key, value }): MkdocsPlugin => ({ name: key, options: value }))
  if (at?.literal.kind === 'object') return toPlugins(at.literal)
  return toItems(at?.literal).flatMap((item) =>
    item.kind === 'string' ? [{ name: item.value, options: null }] : toPlugins(item),
  )
}
