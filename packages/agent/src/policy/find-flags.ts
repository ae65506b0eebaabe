import type { WorkspaceChange } from '@corrigenda/git/workspace'
import { toAddedLines } from './to-added-lines.ts'

export type FlagKind = 'external_image' | 'script' | 'iframe' | 'invisible_characters'

/** A new element in the change that needs a reviewer's attention. */
export interface Flag {
  readonly kind: FlagKind
  readonly path: string
  /** 1-based. */
  readonly line: number
  /** Host of an external resource, or the code points found. Safe to print. */
  readonly detail: string
}

const EXTERNAL = '(?:https?:)?//'
const IMAGE = new RegExp(
  `!\\[[^\\]]{0,500}\\]\\(\\s{0,20}<?(${EXTERNAL}[^\\s)>]{1,2000})|<(?:img|image|source|video|audio|embed|object)\\b[^>]{0,500}?(?:src|srcset|data|poster|href)\\s{0,20}=\\s{0,20}["'{\`]{0,3}(${EXTERNAL}[^"'\`\\s>}]{1,2000})`,
  'gi',
)
const SCRIPT = /<script\b|javascript:|\son[a-z]+\s*=\s*["'{]/i
const FRAME = /<(?:iframe|frame)\b/i
/**
 * Bidirectional controls, zero-width characters and tag characters. Joiners between emoji or Indic
 * letters are ordinary text and are not included.
 */
const INVISIBLE = /[\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu
const ADDRESS = /(?:src|href)\s*=\s*["'{`]*((?:https?:)?\/\/[^"'`\s>}]+)/i

/**
 * Returns new external images, scripts, frames and invisible characters in the added lines, in file
 * order.
 */
export function findFlags(changes: readonly WorkspaceChange[]): Flag[] {
  return toAddedLines(changes).flatMap(({ path, line, text }) => {
    const flags: Flag[] = []
    const add = (kind: FlagKind, detail: string) => flags.push({ kind, path, line, detail })
    for (const match of text.matchAll(IMAGE)) add('external_image', toHost(match[1] ?? match[2] ?? ''))
    if (SCRIPT.test(text)) add('script', toHost(ADDRESS.exec(text)?.[1] ?? ''))
    if (FRAME.test(text)) add('iframe', toHost(ADDRESS.exec(text)?.[1] ?? ''))
    const invisible = new Set(Array.from(text.matchAll(INVISIBLE), ([char]) => toCodePoint(char)))
    if (invisible.size > 0) add('invisible_characters', [...invisible].join(' '))
    return flags
  })
}

function toHost(address: string): string {
  try {
    return new URL(address, 'https://local.invalid').host.replace(/^local\.invalid$/, '')
  } catch {
    return ''
  }
}

function toCodePoint(char: string): string {
  return `U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
