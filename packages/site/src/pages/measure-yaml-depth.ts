import { type CST, Parser } from 'yaml'

/**
 * Maximum nesting depth of collections. Deeper nesting is not plausible configuration, and a
 * recursive reader could overflow the stack and crash the whole process.
 */
export const MAX_YAML_DEPTH = 100

/**
 * Returns the nesting depth of collections in YAML text. Builds and traverses the syntax tree
 * without recursion.
 */
export function measureYamlDepth(text: string): number {
  let deepest = 0
  const open: { readonly token: CST.Token; readonly depth: number }[] = []
  const add = (token: CST.Token | null | undefined, depth: number) => {
    if (token != null) open.push({ token, depth })
  }
  for (const token of new Parser().parse(text)) add(token, 0)
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next
    deepest = Math.max(deepest, depth)
    if (token.type === 'document') add(token.value, depth)
    if (!('items' in token)) continue
    for (const { key, value } of token.items) {
      add(key, depth + 1)
      add(value, depth + 1)
    }
  }
  return deepest
}
