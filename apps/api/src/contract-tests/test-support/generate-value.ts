import type { JsonSchema } from '../../public/openapi/openapi.ts'
import type { Random } from './random.ts'

const TEXTS = [
  '',
  ' ',
  'x',
  'ä',
  '🙂',
  '0',
  '-1',
  'null',
  'a b',
  "'; DROP TABLE jobs; --",
  '<b>',
  '../..',
  '%',
  '_',
  '\\',
  '\u0000',
  '\u001b[2J',
  '\ud800',
  '\u202e',
  'x'.repeat(300),
  'active',
]
const TIMES = [
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+23:59',
  '9999-12-31T23:59:59.999-23:59',
  '2026-02-28T23:59:59Z',
]
const THINGS: readonly unknown[] = [null, true, 0, -1, 1.5, 1e308, '', [], {}, [[]], { a: { b: [1] } }, 2 ** 53]

export const anyText = (random: Random): string => random.pick(TEXTS)
export const anyThing = (random: Random): unknown => (random.chance(0.4) ? anyText(random) : random.pick(THINGS))

/**
 * Generates a value that satisfies most of the JSON Schema's rules. `resolveReference` replaces a
 * reference with the schema that it refers to.
 */
export function generateValue(
  random: Random,
  schema: JsonSchema,
  resolveReference: (schema: JsonSchema) => JsonSchema,
): unknown {
  const s = resolveReference(schema)
  const again = (inner: unknown) => generateValue(random, inner as JsonSchema, resolveReference)
  if ('const' in s) return s.const
  if (Array.isArray(s.enum)) return random.pick(s.enum)
  const options = s.anyOf ?? s.oneOf
  if (Array.isArray(options)) return again(random.pick(options))
  const type = Array.isArray(s.type) ? random.pick(s.type) : s.type
  if (type === 'null') return null
  if (type === 'boolean') return random.chance(0.5)
  if (type === 'integer' || type === 'number') {
    const minimum = Number(s.minimum ?? s.exclusiveMinimum ?? 0)
    return minimum + random.below(Math.min(Number(s.maximum ?? 1000), minimum + 1000) - minimum + 1)
  }
  if (type === 'array')
    return Array.from({ length: random.below(Math.min(Number(s.maxItems ?? 3), 3) + 1) }, () => again(s.items ?? {}))
  if (type === 'object') return generateObject(random, s, again)
  if (type === 'string') return generateText(random, s)
  return anyThing(random)
}

function generateObject(random: Random, s: JsonSchema, again: (inner: unknown) => unknown): Record<string, unknown> {
  const required = new Set(Array.isArray(s.required) ? s.required : [])
  const object: Record<string, unknown> = {}
  for (const [name, inner] of Object.entries((s.properties ?? {}) as object)) {
    if (required.has(name) || random.chance(0.5)) object[name] = again(inner)
  }
  if (s.additionalProperties instanceof Object && random.chance(0.7)) {
    object[`key${random.below(9)}`] = again(s.additionalProperties)
  }
  return object
}

function generateText(random: Random, s: JsonSchema): string {
  if (s.format === 'date-time') {
    return random.chance(0.3) ? random.pick(TIMES) : new Date(random.below(2_000_000_000) * 1000).toISOString()
  }
  if (s.format === 'uri')
    return random.pick(['https://example.com/hook', 'http://127.0.0.1:9/', 'https://[::1]/x', 'ftp://example.com/'])
  const pattern = typeof s.pattern === 'string' ? new RegExp(s.pattern) : /./
  const words = ['docs', 'Fix the typo', 'release/1.4', 'a', 'main', 'Zürich 🙂', '7'].filter((word) =>
    pattern.test(word),
  )
  const text = words.length === 0 ? 'x' : random.pick(words)
  const padded = text.padEnd(Number(s.minLength ?? 0), 'x')
  return padded.slice(0, Number(s.maxLength ?? 1000))
}
