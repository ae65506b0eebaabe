import type { Literal } from '../config/literal.ts'
import type { Splice } from '../workspace/text-file.ts'
import { findLine, isLineStart, toIndent, trimEnd } from './locate.ts'

type Element = { readonly start: number; readonly end: number }

/** Returns the elements of an array, or the properties of an object from key to value. */
export function toElements(literal: Literal): Element[] {
  if (literal.kind === 'array') return literal.items.map(({ start, end }) => ({ start, end }))
  if (literal.kind !== 'object') return []
  return literal.properties.map(({ keyStart, value }) => ({ start: keyStart, end: Math.max(value.end, keyStart) }))
}

/**
 * Returns true if the literal is written with brackets (JSON, JavaScript, YAML flow style) instead
 * of YAML block style.
 */
function isFlow(text: string, literal: Literal): boolean {
  return text[literal.start] === '[' || text[literal.start] === '{'
}

/** Removes one element. Returns null if the result would not be valid. */
export function removeElement(text: string, list: Literal, index: number): Splice[] | null {
  return isFlow(text, list) ? removeFlow(text, list, index) : removeBlock(text, list, index)
}

/**
 * Inserts an element after the one at `index`, with the same layout. `unit` is its text, on one
 * line or on several lines without indentation.
 */
export function insertElement(text: string, list: Literal, index: number, unit: string): Splice[] | null {
  const elements = toElements(list)
  const before = elements[index]
  if (!isFlow(text, list)) return before === undefined ? null : insertBlock(text, list, before, unit)
  if (before === undefined) {
    if (elements.length > 0 || text.slice(list.start + 1, list.end - 1).trim() !== '') return null
    const open = text[list.start] === '{' ? ['{ ', ' }'] : ['[', ']']
    return [{ start: list.start, end: list.end, replacement: `${open[0]}${unit}${open[1]}` }]
  }
  if (
    !isLineStart(text, before.start) ||
    elements.some((other) => other !== before && sharesLine(text, other, before))
  ) {
    return [{ start: before.end, end: before.end, replacement: `, ${unit.replace(/\n[ \t]*/g, ' ')}` }]
  }
  const indent = toIndent(text, before.start)
  const lines = unit.replaceAll('\n', `\n${indent}`)
  const comma = findComma(text, before.end)
  const last = index === elements.length - 1
  if (comma === null && !last) return null
  const { end } = findLine(text, comma ?? before.end)
  // A comment after the element stays with it. A line cannot be inserted after a multi-line comment
  // or a closing bracket.
  const rest = text.slice((comma ?? before.end - 1) + 1, end)
  if (!/^[ \t]*(?:\/\/.*|\/\*(?:(?!\*\/).)*\*\/[ \t]*)?$/.test(rest)) {
    return comma === null ? [{ start: before.end, end: before.end, replacement: `,\n${indent}${lines}` }] : null
  }
  const line = { start: end, end, replacement: `\n${indent}${lines}${comma === null ? '' : ','}` }
  if (comma !== null) return [line]
  if (end === before.end) return [{ ...line, replacement: `,${line.replacement}` }]
  return [{ start: before.end, end: before.end, replacement: ',' }, line]
}

function sharesLine(text: string, a: Element, b: Element): boolean {
  return findLine(text, a.start).start === findLine(text, b.start).start
}

/** Returns the offset of the next comma after whitespace and comments, or null. */
function findComma(text: string, offset: number): number | null {
  const between = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))*/y
  between.lastIndex = offset
  const at = offset + (between.exec(text)?.[0].length ?? 0)
  return text[at] === ',' ? at : null
}

function removeFlow(text: string, list: Literal, index: number): Splice[] | null {
  const elements = toElements(list)
  const element = elements[index]
  if (element === undefined) return null
  const comma = findComma(text, element.end)
  const before = elements[index - 1]
  const after = elements[index + 1]
  const stop = comma === null ? element.end : comma + 1
  const line = findLine(text, stop)
  const alone = isLineStart(text, element.start) && /^[ \t]*(?:\/\/.*)?$/.test(text.slice(stop, line.end))
  if (before === undefined && after === undefined) {
    const inner = text.slice(list.start + 1, list.end - 1)
    const rest = inner.slice(0, element.start - list.start - 1) + inner.slice(stop - list.start - 1)
    // Comments in an emptied list are kept.
    if (rest.trim() === '') return [{ start: list.start + 1, end: list.end - 1, replacement: '' }]
  }
  const splices: Splice[] = []
  // The last element has no trailing comma, so the comma after the previous element is removed.
  if (comma === null && before !== undefined) {
    const previous = findComma(text, before.end)
    if (previous === null) return null
    splices.push({ start: previous, end: previous + 1, replacement: '' })
  }
  if (alone) {
    const { start } = findLine(text, element.start)
    const end = line.end < text.length ? line.end + 1 : line.end
    return [...splices, { start, end, replacement: '' }]
  }
  if (after !== undefined) return [{ start: element.start, end: after.start, replacement: '' }]
  if (before === undefined) return [{ start: element.start, end: stop, replacement: '' }]
  const previous = findComma(text, before.end)
  if (previous === null) return null
  // A comma after the last element is kept. The comma before it is removed.
  return [{ start: previous, end: element.end, replacement: '' }]
}

/**
 * Returns the line start and indentation of a block element. Returns null if the element shares a
 * line with its parent.
 */
function findBlockStart(text: string, list: Literal, element: Element): { line: number; indent: string } | null {
  const { start } = findLine(text, element.start)
  const head = text.slice(start, element.start)
  const pattern = list.kind === 'array' ? /^([ \t]*)-[ \t]+(?:[&!][^\s]+[ \t]+)*$/ : /^([ \t]*)$/
  const indent = pattern.exec(head)?.[1]
  return indent === undefined ? null : { line: start, indent }
}

function removeBlock(text: string, list: Literal, index: number): Splice[] | null {
  const elements = toElements(list)
  const element = elements[index]
  // A key without a value is parsed as null, and most programs reject it.
  if (element === undefined || elements.length === 1) return null
  const place = findBlockStart(text, list, element)
  if (place === null) return null
  const { end } = findLine(text, Math.max(element.start, trimEnd(text, element.start, element.end) - 1))
  if (end < text.length) return [{ start: place.line, end: end + 1, replacement: '' }]
  return [{ start: Math.max(0, place.line - 1), end, replacement: '' }]
}

function insertBlock(text: string, list: Literal, before: Element, unit: string): Splice[] | null {
  const place = findBlockStart(text, list, before) ?? findSibling(text, list)
  if (place === null) return null
  const dash = list.kind === 'array' ? '- ' : ''
  const lines = unit.replaceAll('\n', `\n${place.indent}${' '.repeat(dash.length)}`)
  const { end } = findLine(text, Math.max(before.start, trimEnd(text, before.start, before.end) - 1))
  return [{ start: end, end, replacement: `\n${place.indent}${dash}${lines}` }]
}

/** Returns the line start and indentation of any element that starts a line. */
function findSibling(text: string, list: Literal): { line: number; indent: string } | null {
  for (const element of toElements(list)) {
    const place = findBlockStart(text, list, element)
    if (place !== null) return place
  }
  return null
}
