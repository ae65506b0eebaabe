import type { Literal } from '../config/literal.ts'
import { readTomlLiteral } from '../config/read-toml-literal.ts'

/**
 * Parses TOML into objects without a prototype, arrays and scalars. A scalar that JavaScript writes
 * differently, such as a date, becomes an object with its source text, so that no difference is
 * lost. Returns null if the text is not valid TOML.
 */
export function readTomlData(text: string): unknown {
  const { literal } = readTomlLiteral(text)
  return literal === null ? null : toData(literal, text)
}

function toData(literal: Literal, text: string): unknown {
  if (literal.kind === 'string') return literal.value
  if (literal.kind === 'array') return literal.items.map((item) => toData(item, text))
  if (literal.kind !== 'object') {
    const source = text.slice(literal.start, literal.end)
    return literal.kind === 'scalar' && String(literal.value) === source ? literal.value : { source }
  }
  const data: Record<string, unknown> = Object.create(null)
  for (const { key, value } of literal.properties) data[key] = toData(value, text)
  return data
}
