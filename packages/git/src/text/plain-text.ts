import { removeHidden } from './escape-markdown.ts'

/**
 * Texts that CI systems and bots treat as commands: [skip ci], [ci skip], [no ci], ***NO_CI***,
 * skip-checks: true.
 */
const CI_ORDER = /\[\s*((?:skip|no)[\s-]ci|ci[\s-]skip|skip[\s-]actions|actions[\s-]skip)\s*\]/gi

/** Returns the text on one line without invisible characters. */
export function toOneLine(text: string): string {
  return removeHidden(text).replace(/\s+/gu, ' ').trim()
}

/**
 * Disarms untrusted text for a title or a commit message, which have no escape syntax. An added
 * space or a removed scheme prevents the host from notifying users, closing issues and linking, and
 * CI from skipping its checks.
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
 * Cuts at a word and adds an ellipsis. The result has at most `max` UTF-16 units and never contains
 * half a character.
 */
export function shorten(text: string, max: number): string {
  if (text.length <= max) return text
  let cut = text.slice(0, max - 1)
  if (!cut.isWellFormed()) cut = cut.slice(0, -1)
  const space = Math.max(cut.lastIndexOf(' '), cut.lastIndexOf('\n'))
  return `${(space > max / 2 ? cut.slice(0, space) : cut).trimEnd()}…`
}

/** Wraps one line of words at `width` columns. */
export function wrapWords(line: string, width: number): string {
  const lines: string[] = []
  for (const word of line.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines.join('\n')
}
