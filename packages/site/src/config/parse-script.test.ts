import { describe, expect, it } from 'vitest'
import { parseJson, parseScript } from './parse-script.ts'
import { ScriptError } from './script-error.ts'

const parse = (text: string, path = 'a.ts'): ScriptError | null => {
  try {
    parseScript(text, path)
    return null
  } catch (error) {
    if (error instanceof ScriptError) return error
    throw error
  }
}
const cpu = (run: () => void): number => {
  const started = process.cpuUsage()
  run()
  const { user, system } = process.cpuUsage(started)
  return user + system
}

describe('accepts', () => {
  it.each<[name: string, path: string, text: string]>([
    ['TypeScript', 'a.ts', 'const a = <T,>(x: T) => x as const satisfies unknown\nexport default { a } as Config\n'],
    ['a type assertion', 'a.ts', 'export default <Config>{}\n'],
    ['JSX', 'a.tsx', "export default { a: <b>don't {1}</b> }\n"],
    ['JSX in JavaScript', 'a.js', 'module.exports = { a: <b /> }\n'],
    ['a generic arrow function next to JSX', 'a.tsx', 'const f = <\n  T extends object\n>(x?: T) => <b />\n'],
    ['a script that is no module', 'a.cjs', 'with (a) {}\nreturn 010\n'],
    ['top-level await', 'a.mjs', 'export default await load()\n'],
    ['a hashbang', 'a.js', '#!/usr/bin/env node\nmodule.exports = {}\n'],
    ['a repeated __proto__ key', 'a.js', 'x = { __proto__: 1, "__proto__": 2 }\n'],
  ])('%s', (_, path, text) => {
    expect(parse(text, path)).toBeNull()
  })
})

it('reports where a text is not valid', () => {
  expect(parse('const a = [1,\nconst b\n')).toMatchObject({ code: 'invalid', offset: 14 })
})

it('uses offsets in UTF-16 code units', () => {
  const text = "const a = '😀'\nconst b = 'x'\n"
  const [, statement] = parseScript(text, 'a.ts').body
  expect(text.slice(statement?.start, statement?.end)).toBe("const b = 'x'")
})

it('accepts regular expressions without reading their groups', () => {
  expect(parse(`x = /${'('.repeat(100_000)}${')'.repeat(100_000)}/`)).toBeNull()
})

it('accepts JSON with 100 levels, and refuses far deeper JSON', () => {
  const nest = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
  expect(parseJson(nest(100)).type).toBe('ArrayExpression')
  expect(parseJson(`${'{"a":'.repeat(100)}1${'}'.repeat(100)}`).type).toBe('ObjectExpression')
  expect(() => parseJson(nest(20_000))).toThrow('it is nested too deeply')
})

describe('refuses what it cannot parse in bounded time and stack', () => {
  const n = 20_000
  it.each<[name: string, text: string]>([
    ['brackets', `x = ${'['.repeat(n)}${']'.repeat(n)}`],
    ['unclosed brackets', `x = ${'('.repeat(n)}`],
    ['blocks', `${'{'.repeat(n)}${'}'.repeat(n)}`],
    ['operators', `x = ${'!'.repeat(n)}1`],
    ['functions', `x = ${'a => '.repeat(n)}1`],
    ['conditions', `x = ${'a ? (b) : '.repeat(n)}1`],
    ['conditions in conditions', `x = ${'a ? '.repeat(n)}1${' : 2'.repeat(n)}`],
    ['templates', `x = ${'`${'.repeat(n)}1${'}`'.repeat(n)}`],
    ['elements', `x = ${'<a>'.repeat(n)}${'</a>'.repeat(n)}`],
    ['types', `let x: ${'['.repeat(n)}a${']'.repeat(n)}`],
    ['patterns', `let ${'['.repeat(n)}a${']'.repeat(n)} = 1`],
    ['statements', `${'if (a) '.repeat(n)}b`],
    ['constructors', `x = ${'new '.repeat(n)}a`],
    ['classes', `x = ${'class extends '.repeat(n)}a {}`],
    ['type operators', `let x: ${'keyof '.repeat(n)}a`],
    ['members', `x = a${'.b'.repeat(n)}`],
    // The grammar tries several readings at each of these levels.
    ['assertions', `x = ${'<T>('.repeat(40)}1${')'.repeat(40)}`],
  ])('%s', (_, text) => {
    for (const path of ['a.ts', 'a.js']) {
      const error = parse(text, path)
      if (error !== null) expect(error.code).toBe('limit')
    }
    expect(parse(text)?.code).toBe('limit')
  })
})

it.each<[name: string, unit: string]>([
  ['constants', 'const a = 1\n'],
  ['exports', 'export const b = 1\n'],
  ['strings', "x = 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'\n"],
  ['comments', '/* * /\n'],
])('takes time proportional to the number of %s', (_, unit) => {
  const text = (n: number) => Array.from({ length: n }, (_, at) => unit.replace(/ [ab] /, ` n${at} `)).join('')
  const [small, large] = [text(2_000), text(16_000)]
  cpu(() => parse(small))
  const before = cpu(() => parse(small))
  expect(cpu(() => parse(large))).toBeLessThan(Math.max(before, 5_000) * 8 * 4)
})
