import type { Splice } from '@corrigenda/git/workspace'
import type { Literal } from '../config/literal.ts'
import { findLine, isLineStart, toIndent, trimEnd } from './locate.ts'

type Element = { readonly start: number; readonly end: number }

/** The elements of an array, or the properties of an object from key to value. */
export function toElements(literal: Literal): Element[] {
  if (literal.kind === 'array') return literal.items.map(({ start, end }) => ({ start, end }))
  if (literal.kind !== 'object') return []
  return literal.properties.map(({ keyStart, value }) => ({ start: keyStart, end: Math.max(value.end, keyStart) }))
}

/** Is it written with brackets (JSON, JavaScript, YAML in flow style), not as lines of YAML? */
export function isFlow(text: string, literal: Literal): boolean {
  return text[literal.start] === '[' || text[literal.start] === '{'
}

/** Take one element out. Null where that would leave something that cannot be read. */
export function removeElement(text: string, list: Literal, index: number): Splice[] | null {
  return isFlow(text, list) ? removeFlow(text, list, index) : removeBlock(text, list, index)
}

/** Put an element behind the one at `index`, laid out as that one is; `unit` is its text in one line, or in lines without indentation. */
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
  // A comment behind the element stays with it. One that goes on over lines, or a closing bracket, does not let a line in.
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

/** The comma that follows, past white space and comments; null when there is none. */
function findComma(text: string, offset: number): number | null {
  const between = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
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
    // Comments in an emptied list stay.
    if (rest.trim() === '') return [{ start: list.start + 1, end: list.end - 1, replacement: '' }]
  }
  const splices: Splice[] = []
  // The last element of a list that has no comma there: the one before it is the last now.
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
  // A comma behind the last element stays; the one before it goes.
  return [{ start: previous, end: element.end, replacement: '' }]
}

/** Where the line of a block element begins: at its dash, or at its key. Null when it shares its line with its parent. */
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
  // A key without a value is read as nothing, and most programs refuse it.
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

/** The indentation of any element that has a line of its own. */
function findSibling(text: string, list: Literal): { line: number; indent: string } | null {
  for (const element of toElements(list)) {
    const place = findBlockStart(text, list, element)
    if (place !== null) return place
  }
  return null
}
