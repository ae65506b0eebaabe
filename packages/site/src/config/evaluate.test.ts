import { describe, expect, it } from 'vitest'
import { buildConfigFiles, type Evaluated } from './config-files.ts'
import type { Literal } from './literal.ts'

async function evaluate(files: Readonly<Record<string, string>>, path = 'a.ts'): Promise<Evaluated> {
  const source = {
    paths: Object.keys(files),
    read: async (name: string) => (files[name] === undefined ? null : new TextEncoder().encode(files[name])),
  }
  const config = buildConfigFiles(source)
  const file = await config.open(path)
  if (file === null) throw new Error(`no ${path}`)
  return config.evaluate(file)
}

/** Formats a value. `?` is unknown, and `…` means that a list or object may contain more. */
function print(literal: Literal): string {
  switch (literal.kind) {
    case 'string':
      return `'${literal.value.replace('\0/', '/ROOT/')}'`
    case 'scalar':
      return String(literal.value)
    case 'array':
      return `[${[...literal.items.map(print), ...(literal.whole ? [] : ['…'])].join(', ')}]`
    case 'object': {
      const properties = literal.properties.map(({ key, value }) => `${key}: ${print(value)}`)
      return `{${[...properties, ...(literal.whole ? [] : ['…'])].join(', ')}}`
    }
    case 'call':
      return `${literal.callee}(${literal.args.map(print).join(', ')})`
    default:
      return '?'
  }
}

describe('an expression', () => {
  it.each<[name: string, text: string, value: string]>([
    ['a constant', "const a = ['x'] as const\nexport default { a } satisfies Config", "{a: ['x']}"],
    ['an exported constant', "export const a = 'x'\nexport default [a]", "['x']"],
    ['a constant that is declared later', "export default f()\nconst a = 'x'\nfunction f() { return a }", "'x'"],
    ['a wrapper', 'export default extendConfig(withMermaid(defineConfig({ a: 1 })))', '{a: 1}'],
    ['any imported wrapper', "import w from 'w'\nexport default w({ a: 1 })", '{a: 1}'],
    ['a function', 'export default defineConfig(async () => ({ a: 1 }))', '{a: 1}'],
    ['CommonJS', 'const c = { a: 1 }\nmodule.exports = c', '{a: 1}'],
    ['a template', `const b = '/guide'\nexport default [\`\${b}/x\`, \`y\`]`, "['/guide/x', 'y']"],
    ['a concatenation', "const b = '/guide'\nexport default b + '/x' + 1", "'/guide/x1'"],
    ['spreads', "const l = ['b']\nexport default { ...{ a: 1, b: 2 }, b: ['a', ...l] }", "{a: 1, b: ['a', 'b']}"],
    ['an unknown spread', "export default ['a', ...load(), 'b']", "['a', 'b', …]"],
    ['an unknown item', "export default ['a', load(), b]", "['a', load(), ?]"],
    ['an unknown property', 'export default { a: 1, ...load(), [key]: 2 }', '{a: 1, …}'],
    ['a static condition', "const on = true\nexport default [on ? 'a' : 'b', !on && 'c']", "['a', false]"],
    ['an unknown condition', "export default [process.env.X ? 'a' : 'b']", '[?]'],
    ['lists of an unknown condition', "export default [...(process.env.X ? ['a'] : ['b'])]", "['a', 'b']"],
    ['a list that may be absent', "export default [...(process.env.X && ['a'])]", "['a']"],
    [
      'a helper',
      "const g = (label, items) => ({ label, items })\nexport default [g('x', ['y'])]",
      "[{label: 'x', items: ['y']}]",
    ],
    [
      'a helper with a pattern',
      "function g({ a, b = 'z' }) {\n  const c = a + b\n  return [c]\n}\nexport default g({ a: 'x' })",
      "['xz']",
    ],
    [
      'array methods',
      `export default [['a'].concat(['b'], 'c'), ['x'].map((n) => \`/\${n}\`), [0, 'y'].filter(Boolean)]`,
      "[['a', 'b', 'c'], ['/x'], ['y']]",
    ],
    ['Object.assign', 'export default Object.assign({}, { a: 1 }, { a: 2 })', '{a: 2}'],
    ['members', "const o = { a: { b: ['x'] } }\nexport default [o.a.b[0], o.c]", "['x', undefined]"],
    ['a list that code changes', "const l = ['a']\nl.push('b')\nexport default { l }", "{l: ['a', …]}"],
    ['an object that code changes', "const o = { a: ['x'] }\no.a.push('y')\nexport default o", "{a: ['x', …], …}"],
    ['a variable', "let a = 'x'\na = 'y'\nexport default [a]", '[?]'],
    [
      'a function with branches',
      "function f() { if (x) return ['a']\n return ['b'] }\nexport default { a: f() }",
      '{a: ?}',
    ],
    ['a getter and a method', 'export default { get a() { return 1 }, b() {}, c: 1 }', '{a: ?, b: ?, c: 1}'],
    ['JSX', "export default { a: <b>don't</b>, c: 1 }", '{a: ?, c: 1}'],
    ['prototype keys', "export default { __proto__: { a: 1 }, constructor: 'x' }", "{constructor: 'x', …}"],
    [
      'paths',
      "import path from 'node:path'\nexport default [path.resolve(__dirname, '../s.json'), path.join('a', 'b')]",
      "['/ROOT/s.json', 'a/b']",
    ],
    ['a path from a URL', "export default fileURLToPath(new URL('./s.json', import.meta.url))", "'/ROOT/site/s.json'"],
  ])('%s', async (_, text, value) => {
    const { literal } = await evaluate({ 'site/a.tsx': text }, 'site/a.tsx')
    expect(print(literal)).toBe(value)
  })
})

describe('a file in the repository', () => {
  const read = async (text: string, files: Record<string, string>) => {
    const { literal } = await evaluate({ 'site/a.ts': `export default [${text}]`, ...files }, 'site/a.ts')
    return print(literal)
  }
  it.each<[name: string, text: string, files: Record<string, string>, value: string]>([
    ['require', "require('./b')", { 'site/b.json': '["x"]' }, "[['x']]"],
    ['require of CommonJS', "require('./b').c", { 'site/b.js': "exports.c = 'x'" }, "['x']"],
    ['require.resolve', "require.resolve('./b')", { 'site/b.js': '' }, "['/ROOT/site/b.js']"],
    ['a dynamic import', "(await import('./b')).default", { 'site/b.ts': "export default 'x'" }, "['x']"],
    ['a package', "require('b'), require.resolve('b')", {}, "[require('b'), 'b']"],
    ['a file outside the repository', "require('../../b')", { 'b.js': "exports.c = 'x'" }, "[require('../../b')]"],
  ])('%s', async (_, text, files, value) => {
    expect(await read(text, files)).toBe(value)
  })

  it('is imported by name, through other files, and keeps its positions', async () => {
    const files = {
      'site/a.ts':
        "import { s as t } from './b/index.js'\nimport d, * as n from './c'\nexport default { t, d, e: n.e }",
      'site/b/index.ts': "export * from './s'\nexport { default as other } from './s'",
      'site/b/s.ts': "const list = ['😀', 'x']\nexport { list as s }\nexport default 1",
      'site/c.mjs': "export default 'd'\nexport const e = 'e'",
    }
    const { literal } = await evaluate(files, 'site/a.ts')
    expect(print(literal)).toBe("{t: ['😀', 'x'], d: 'd', e: 'e'}")
    const list = literal.kind === 'object' ? literal.properties[0]?.value : null
    const item = list?.kind === 'array' ? list.items[1] : null
    expect(item).toMatchObject({ file: { path: 'site/b/s.ts' } })
    expect(files['site/b/s.ts'].slice(item?.start, item?.end)).toBe("'x'")
  })

  it('reports a broken file that the value depends on', async () => {
    const { modules } = await evaluate({ 'a.ts': "import s from './s.json'\nexport default { s }", 's.json': '["a",]' })
    expect(modules.flatMap(({ fault }) => fault ?? [])).toMatchObject([{ path: 's.json', code: 'invalid' }])
  })
})

describe('hostile configuration takes bounded time and has no effect', () => {
  const names = (count: number) => Array.from({ length: count }, (_, n) => n)
  it.each<[name: string, files: Record<string, string>]>([
    [
      'imports in a circle',
      { 'a.ts': "import b from './b'\nexport default { b }", 'b.ts': "export { default } from './a'" },
    ],
    ['constants in a circle', { 'a.ts': 'const a = [...b]\nconst b = [a, b]\nexport default { a }' }],
    ['a function that only calls itself', { 'a.ts': 'const f = () => f()\nexport default { f: f() }' }],
    ['a function that calls itself twice', { 'a.ts': 'const f = () => f() + f()\nexport default { f: f() }' }],
    [
      'a function that calls itself in lists',
      { 'a.ts': 'const f = (n) => [f([n]), f([n])]\nexport default { f: f(1) }' },
    ],
    [
      'doubling lists',
      {
        'a.ts': `const a0 = ['x']\n${names(60)
          .map((n) => `const a${n + 1} = [...a${n}, ...a${n}]`)
          .join('\n')}\nexport default a60`,
      },
    ],
    [
      'doubling references',
      {
        'a.ts': `const a0 = ['x']\n${names(60)
          .map((n) => `const a${n + 1} = [a${n}, a${n}]`)
          .join('\n')}\nexport default a60`,
      },
    ],
    [
      'doubling texts',
      {
        'a.ts': `const a0 = 'x'\n${names(60)
          .map((n) => `const a${n + 1} = a${n} + a${n}`)
          .join('\n')}\nexport default a60`,
      },
    ],
    [
      'deep values',
      {
        'a.ts': `import * as b from './b'\nexport default b`,
        'b.ts': `export const a0 = []\n${names(300)
          .map((n) => `export const a${n + 1} = [a${n}]`)
          .join('\n')}`,
      },
    ],
    ...(
      [
        ['Object.assign', 'Object.assign({}, { a, b: a })'],
        ['Object.assign in lists', 'Object.assign({}, { items: [a, a] })'],
        ['spread objects', '({ ...{ a, b: a } })'],
        ['templates', `\`\${a}\${a}\``],
        ['concat', '[a].concat([a])'],
        ['flat', '[[a, a], [a]].flat()'],
        ['flatMap', '[a, a].flatMap((x) => [x, x])'],
        ['map', '[a, a].map((x) => x)'],
        ['filter', '[a, a].filter(Boolean)'],
        ['calls', 'load(a, a)'],
        ['functions', '((x) => ({ x, y: x }))(a)'],
        ['conditions', 'load() ? [a, a] : [a, a]'],
        ['repeat', '[a.repeat(9), a.repeat(9)]'],
        ['lists that are changed', '[a, a, a]', 'a9.push(1)'],
      ] as const
    ).map(([name, next, rest = '']): [string, Record<string, string>] => [
      `doubling: ${name}`,
      {
        'a.ts': `const a0 = ['x']\n${names(60)
          .map((n) => `const a${n + 1} = ${next.replaceAll(/\ba\b(?!:)/g, `a${n}`)}`)
          .join('\n')}\n${rest}\nexport default a60`,
      },
    ]),
    [
      'a data file in a list',
      {
        'a.ts': `import d from './d.json'\nexport default [${'d,'.repeat(5_000)}]`,
        'd.json': `[${'1,'.repeat(5_000)}1]`,
      },
    ],
    [
      'map of a wide list',
      { 'a.ts': `const a = [${'1,'.repeat(8_000)}]\nexport default a.map((x) => [${'x,'.repeat(8_000)}])` },
    ],
    [
      'map in map',
      {
        'a.ts': `const a = [${'1,'.repeat(2_000)}]\nexport default a.map((x) => a.map((y) => a.map((z) => [x, y, z])))`,
      },
    ],
    [
      'filter in map',
      { 'a.ts': `const a = [${'1,'.repeat(9_000)}]\nexport default a.map((x) => a.filter(Boolean).length)` },
    ],
    ['wide spreads', { 'a.ts': `const a = [${'1,'.repeat(12_000)}]\nexport default [${'...a,'.repeat(12_000)}]` }],
    [
      'wide spreads of objects',
      {
        'a.ts': `const a = {${names(8_000)
          .map((n) => `k${n}:1,`)
          .join('')}}\nexport default {${'...a,'.repeat(12_000)}}`,
      },
    ],
    ['wide concat', { 'a.ts': `const a = [${'1,'.repeat(12_000)}]\nexport default a.concat(${'a,'.repeat(12_000)})` }],
    [
      'wide assign',
      {
        'a.ts': `const a = {${names(8_000)
          .map((n) => `k${n}:1,`)
          .join('')}}\nexport default Object.assign({}, ${'a,'.repeat(12_000)})`,
      },
    ],
    [
      'members of a large object',
      {
        'a.ts': `const a = {${names(8_000)
          .map((n) => `k${n}:1,`)
          .join('')}}\nexport default [${'a.k0,'.repeat(12_000)}]`,
      },
    ],
    [
      'many parameters',
      {
        'a.ts': `const f = (${names(8_000)
          .map((n) => `p${n}`)
          .join()}) => 1\nexport default [${'1,'.repeat(12_000)}].map(f)`,
      },
    ],
    [
      'long names in a map',
      { 'a.ts': `export default [${'1,'.repeat(12_000)}].map((x) => a.${'b'.repeat(200_000)}(x))` },
    ],
    [
      'long paths',
      {
        'a.ts': `import path from 'path'\nconst a = '${'x'.repeat(5_000)}'\nexport default path.join(${'a,'.repeat(12_000)})`,
      },
    ],
    [
      'a fan of modules',
      Object.fromEntries(
        names(13).map((n) => [
          `${n === 0 ? 'a' : `a${n}`}.ts`,
          `${n === 0 ? "import { x } from './a1'\nexport default x\n" : ''}${`export * from './a${n + 1}'\n`.repeat(9)}`,
        ]),
      ),
    ],
    ['chained methods', { 'a.ts': `export default ['x']${".concat(['y'])".repeat(200)}` }],
    [
      'many modules',
      Object.fromEntries(
        names(500).map((n) => [`${n === 0 ? 'a' : `a${n}`}.ts`, `import b from './a${n + 1}'\nexport default [b]`]),
      ),
    ],
    ['a large text', { 'a.ts': `export default '${'x'.repeat(400_000)}'` }],
    ['a large list', { 'a.ts': `export default [${"'x',".repeat(100_000)}]` }],
    ['deep nesting', { 'a.ts': `export default ${'['.repeat(10_000)}${']'.repeat(10_000)}` }],
    ['many statements', { 'a.ts': '1;'.repeat(60_000) }],
    [
      'deep JSON',
      { 'a.ts': "export default require('./b.json')", 'b.json': `${'['.repeat(10_000)}${']'.repeat(10_000)}` },
    ],
    [
      'prototype names',
      {
        'a.ts':
          "const __proto__ = { polluted: 1 }\nexport default { ...__proto__, ['__proto__']: { polluted: 1 }, constructor: { prototype: { polluted: 1 } } }",
      },
    ],
    [
      'code',
      {
        'a.ts':
          'globalThis.polluted = 1\nexport default { get a() { globalThis.polluted = 1 }, b: (() => { globalThis.polluted = 1 })() }',
      },
    ],
  ])('%s', async (_, files) => {
    const started = process.cpuUsage()
    const { literal } = await evaluate(files)
    const { user, system } = process.cpuUsage(started)
    expect((user + system) / 1_000).toBeLessThan(5_000)
    expect(measure(literal)).toBeLessThanOrEqual(100_001)
    expect(print(literal)).not.toContain('['.repeat(105))
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
    expect('polluted' in globalThis).toBe(false)
  })

  /** Counts the parts of a value as a reader that visits all of them does. */
  function measure(literal: Literal): number {
    const parts =
      literal.kind === 'array'
        ? literal.items
        : literal.kind === 'object'
          ? literal.properties.map(({ value }) => value)
          : literal.kind === 'call'
            ? literal.args
            : []
    return parts.reduce((sum, part) => sum + measure(part), 1)
  }
})
