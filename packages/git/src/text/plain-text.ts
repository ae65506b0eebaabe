import { removeHidden } from './escape-markdown.ts'

/** Matches bracketed CI commands such as [skip ci], [ci skip] and [no ci]. */
const CI_ORDER = /\[\s*((?:skip|no)[\s-]ci|ci[\s-]skip|skip[\s-]actions|actions[\s-]skip)\s*\]/gi

/** Returns the text as one line, without invisible characters. */
export function toOneLine(text: string): string {
  return removeHidden(text).replace(/\s+/gu, ' ').trim()
}

/**
 * Disarms untrusted text for titles and commit messages, which have no escape syntax. Adds spaces
 * and removes URL schemes and CI commands, so that the host does not notify users, close issues or
 * create links, and CI does not skip its checks.
 */
export function disarmPlain(text: string): string {
  return text
    .replace(CI_ORDER, '$1')
    .replace(/\*\*\*(NO_CI)\*\*\*/gi, '$1')
    .replace(/\b(skip-checks):(\s*true)/gi, '$1$2')
    .replace(/\b[a-z][a-z0-9+.-]{0,20}:\/\//gi, '')
    .replace(/(^|[^\p{L}\p{N}_])@(?=[\p{L}\p{N}])/gu, '$1@ ')
    .replace(/#(?=\d)/g, '# ')
    .replace(/\b(gh)-(?=\d)/gi, '$1 ')
}

/**
 * Truncates at a word boundary if possible and adds an ellipsis. The result has at most `max`
 * UTF-16 code units and never ends with half a surrogate pair.
 */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text
  let cut = text.slice(0, max - 1)
  if (!cut.isWellFormed()) cut = cut.slice(0, -1)
  const space = Math.max(cut.lastIndexOf(' '), cut.lastIndexOf('\n'))
  return `${(space > max / 2 ? cut.slice(0, space) : cut).trimEnd()}…`
}

/** Wraps a line at word boundaries to at most `width` columns, except for longer words. */
export function wrapWords(line: string, width: number): string {
  const lines: string[] = []
  for (const word of line.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.join('\n')
}
