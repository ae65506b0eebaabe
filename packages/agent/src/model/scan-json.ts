/** What can be said about JSON text without parsing it. */
interface JsonScan {
  /** True if a string, an object or an array is not closed. */
  readonly isOpen: boolean
  /** Number of objects and arrays around the most deeply nested value. */
  readonly depth: number
}

/** Scans JSON text once, also if it is not valid. */
export function scanJson(text: string): JsonScan {
  let level = 0
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]
    if (isQuoted) {
      if (char === '\\') at += 1
      else if (char === '"') isQuoted = false
    } else if (char === '"') isQuoted = true
    else if (char === '{' || char === '[') {
      level += 1
      depth = Math.max(depth, level)
    } else if (char === '}' || char === ']') level -= 1
  }
  return { isOpen: isQuoted || level > 0, depth }
}
