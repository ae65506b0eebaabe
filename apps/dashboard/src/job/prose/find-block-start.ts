import type { TextShape } from './block.ts'

/** What the first line of a block says about it. */
export type BlockStart =
  | { readonly kind: 'text'; readonly shape: TextShape; readonly text: string }
  /** Goes on to the line that has `until`; empty: this line only. `isInline`: it may as well stand within a paragraph. */
  | { readonly kind: 'literal'; readonly until: string; readonly isInline: boolean }
  | { readonly kind: 'rule' }

const HEADING = /^\s{0,3}(#{1,6})(?:\s(.*))?$/
const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])(?:\s+(?:\[([ xX])\]\s+)?(.*))?$/
const QUOTE = /^\s{0,3}((?:>\s?)+)(.*)$/
/** Tags that usually stand within a sentence. */
const INLINE_TAG = /^<\/?(?:a|b|br|code|em|i|kbd|mark|s|span|strong|sub|sup|u)\b/i
const LIST_STEP = 2

/** Reads the line as the first of a block. */
export function findBlockStart(line: string): BlockStart {
  const text = line.trim()
  if (/^(?:\*\s*){3,}$|^(?:-\s*){3,}$|^(?:_\s*){3,}$/.test(text)) return { kind: 'rule' }
  if (text.startsWith('{/*')) return { kind: 'literal', until: '*/}', isInline: false }
  if (text.startsWith('<!--')) return { kind: 'literal', until: '-->', isInline: false }
  if (/^<(?:\/?[A-Za-z][\w.-]*|\/?>)/.test(text) && !/^<[a-z][a-z0-9+.-]*:/i.test(text)) {
    return { kind: 'literal', until: '>', isInline: INLINE_TAG.test(text) }
  }
  if (/^(?:import\s.+\sfrom\s|import\s+['"]|export\s)/.test(text))
    return { kind: 'literal', until: '', isInline: false }
  // Containers of Docusaurus, VitePress and others; definitions of links.
  if (/^:{3,}/.test(text) || /^!{3}\s/.test(text) || /^\[[^\]]+\]:\s/.test(text)) {
    return { kind: 'literal', until: '', isInline: false }
  }
  const heading = HEADING.exec(line)
  if (heading?.[1]) {
    return { kind: 'text', shape: { tag: 'heading', level: heading[1].length }, text: toHeadingText(heading[2] ?? '') }
  }
  const item = ITEM.exec(line)
  if (item?.[2] !== undefined) {
    const depth = Math.min(6, Math.floor((item[1] ?? '').replaceAll('\t', '  ').length / LIST_STEP))
    const marker = /\d/.test(item[2]) ? item[2] : '•'
    const checked = item[3] === undefined ? null : item[3] !== ' '
    return { kind: 'text', shape: { tag: 'item', depth, marker, checked }, text: item[4] ?? '' }
  }
  const quote = QUOTE.exec(line)
  if (quote?.[1]) {
    const depth = quote[1].replace(/[^>]/g, '').length
    return { kind: 'text', shape: { tag: 'quote', depth }, text: quote[2] ?? '' }
  }
  return { kind: 'text', shape: { tag: 'paragraph' }, text }
}

/** Signs that close a heading are no part of it. */
function toHeadingText(text: string): string {
  const heading = text.trim()
  return heading.length > 1_000 ? heading : heading.replace(/(?:^|\s)#+$/, '').trimEnd()
}
