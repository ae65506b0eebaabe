/**
 * Maximum size of front matter in characters. It normally has only a few keys. Larger front matter is
 * a mistake or an attack on the parser.
 */
export const MAX_FRONTMATTER = 65_536

interface FrontmatterSplit {
  /** YAML between the fences; null if the file has no front matter. */
  readonly yaml: string | null
  /** True if the file has an opening fence and apparent keys, but no closing fence. */
  readonly unclosed: boolean
  /** The text after the front matter. */
  readonly body: string
  /** Number of lines before the body. */
  readonly lines: number
}

const OPENING = /^---[ \t]*\n/
const CLOSING = /^---[ \t]*(?:\n|$)/m

/**
 * Splits a leading `---` block from text with LF line endings. Front matter in other languages
 * stays in the body, because it may be code.
 */
export function splitFrontmatter(text: string): FrontmatterSplit {
  const opening = OPENING.exec(text)
  if (opening === null) return { yaml: null, unclosed: false, body: text, lines: 0 }
  const rest = text.slice(opening[0].length)
  const closing = CLOSING.exec(rest)
  if (closing === null) {
    return { yaml: null, unclosed: /^[A-Za-z_][\w-]*:(\s|$)/.test(rest), body: text, lines: 0 }
  }
  const yaml = rest.slice(0, closing.index)
  const head = text.length - rest.length + closing.index + closing[0].length
  return { yaml, unclosed: false, body: text.slice(head), lines: yaml.split('\n').length + 1 }
}
