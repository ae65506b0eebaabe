import type { ConfigFile } from './config-file.ts'
import type { ConfigString } from './config-string.ts'
import { listScriptStrings } from './list-script-strings.ts'
import { type Literal, toTextRange } from './literal.ts'

/**
 * Returns the texts in a configuration file that are data, in the order of the file. Omits keys,
 * texts with escapes, and, in a script, texts in other code.
 */
export function listStrings(file: ConfigFile): readonly ConfigString[] {
  if (file.tree !== null) return listScriptStrings(file.tree, file.text)
  const found = new Map<number, ConfigString>()
  const open: { literal: Literal; key: string | null }[] =
    file.literal === null ? [] : [{ literal: file.literal, key: null }]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { literal, key } = at
    if (literal.kind === 'array') for (const item of literal.items) open.push({ literal: item, key })
    if (literal.kind === 'object')
      for (const property of literal.properties) open.push({ literal: property.value, key: property.key })
    if (literal.kind !== 'string') continue
    const { start, end } = toTextRange(file.text, literal)
    // A text with escapes, or on several lines, is written differently.
    if (file.text.slice(start, end) === literal.value) found.set(start, { value: literal.value, start, end, key })
  }
  return [...found.values()].sort((a, b) => a.start - b.start)
}
