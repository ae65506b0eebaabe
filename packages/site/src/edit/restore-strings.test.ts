import { describe, expect, it } from 'vitest'
import { findConfigViolation } from './find-config-violation.ts'
import type { StringTest } from './restore-strings.ts'

const PAGES = new Set(['/a', '/b', '/c/a', 'a.md', 'c/a.md', 'react', './plugin'])
/** Accepts any change between names of pages, so that only the position of a text counts. */
const accepts: StringTest = (before, after) => PAGES.has(before.value) && PAGES.has(after.value)
const find = (path: string, before: string, after: string, test: StringTest = accepts) =>
  findConfigViolation(path, new TextEncoder().encode(before), new TextEncoder().encode(after), test)

const SCRIPT = `import plugin from './plugin'
import '/a'
export * from '/a'
const lazy = () => import('/a')
const loaded = require('/a')
const url = new URL('/a', base)
const text = \`/a\${process.env.X}\` + \`/a\`
const env = process.env['/a']
type Home = '/a'
enum E { A = '/a' }
if (page === '/a') run('/a')
export default {
  '/a': 1,
  ['/a']: 2,
  method() { return '/a' },
  footer: { columns: [{ link: '/a', other: '/x' }] },
  list: ['a.md', on ? '/a' : '/b', ('/a' as string)],
  sidebar: [{ text: 'A', link: '/a' }],
  after: { href: '/a' },
}
`
const PATH = '.vitepress/config.ts'

describe('a text that names a page may become the name of another page', () => {
  it.each([
    ['in a property', "{ link: '/a', o", "{ link: '/b', o"],
    ['in a list', "'a.md'", "'c/a.md'"],
    ['in a condition', "on ? '/a'", "on ? '/c/a'"],
    ['in brackets with a type', "('/a' as", "('/b' as"],
    ['after the navigation', "href: '/a'", "href: '/c/a'"],
  ])('%s', (_, old, now) => {
    expect(SCRIPT).toContain(old)
    const changed = SCRIPT.replace(old, now)
    expect(find(PATH, SCRIPT, changed)).toBeNull()
    expect(find(PATH, SCRIPT, changed, () => false)).toMatch(/outside/)
  })

  it('together with an entry of the navigation, and in a file without navigation', () => {
    const changed = SCRIPT.replace("{ link: '/a', o", "{ link: '/b', o").replace("'A', link: '/a'", "'N', link: '/c/a'")
    expect(find(PATH, SCRIPT, changed)).toBeNull()
    const plain = "export default { footer: { href: '/a' } }\n"
    expect(find('x.config.js', plain, plain.replace('/a', '/b'))).toBeNull()
    expect(find('x.config.js', plain, plain.replace('/a', '/x'))).toMatch(/no navigation/)
  })

  it('in JSX', () => {
    const page = 'export default () => <Nav items={["/a"]}><a href="/a" title={"/a"}>/a</a></Nav>\n'
    expect(find('layout.tsx', page, page.replace('href="/a"', 'href="/b"'))).toBeNull()
    expect(find('layout.tsx', page, page.replace('["/a"]', '["/b"]'))).toBeNull()
    expect(find('layout.tsx', page, page.replace('>/a<', '>/b<'))).not.toBeNull()
  })

  it.each([
    ['hugo.yaml', 'base: /x\nmenu:\n  - url: /a # Kept.\n    weight: 1\n', 'url: /a', 'url: /b'],
    ['netlify.toml', '[build]\ncommand = "x"\n[[headers]]\nfor = "/a"\n', '"/a"', '"/b"'],
    ['vercel.json', '{"headers":[{"source":"/a"}]}', '/a', '/b'],
  ])('in %s', (path, text, old, now) => {
    expect(find(path, text, text.replace(old, now))).toBeNull()
    expect(find(path, text, text.replace(old, now), () => false)).not.toBeNull()
  })
})

describe('any other text of a script is rejected', () => {
  it.each([
    ['an import specifier', "from './plugin'", "from 'react'"],
    ['an import', "import '/a'", "import '/b'"],
    ['an export', "export * from '/a'", "export * from '/b'"],
    ['an import expression', "import('/a')", "import('/b')"],
    ['a require call', "require('/a')", "require('/b')"],
    ['an argument', "run('/a')", "run('/b')"],
    ['an argument of new', "new URL('/a'", "new URL('/b'"],
    ['a template with an expression', '`/a$', '`/b$'],
    ['a template', '`/a`', '`/b`'],
    ['the name of an environment variable', "env['/a']", "env['/b']"],
    ['a type', "Home = '/a'", "Home = '/b'"],
    ['a member of an enum', "A = '/a'", "A = '/b'"],
    ['an operand', "=== '/a'", "=== '/b'"],
    ['a key', "  '/a': 1", "  '/b': 1"],
    ['a computed key', "['/a']: 2", "['/b']: 2"],
    ['the result of a method', "return '/a'", "return '/b'"],
    ['a text that is no page', "other: '/x'", "other: '/a'"],
    ['a text that becomes no page', "{ link: '/a', o", "{ link: '/x', o"],
    ['a text that becomes a URL', "{ link: '/a', o", "{ link: 'https://evil.example/a', o"],
    ['other quotes', "{ link: '/a', o", '{ link: "/b", o'],
    ['a template instead of a string', "{ link: '/a', o", '{ link: `/b`, o'],
    ['an expression instead of a string', "{ link: '/a', o", "{ link: '/b' + run(), o"],
    ['another key', "{ link: '/a', o", "{ onclick: '/b', o"],
    ['another text with it', "{ link: '/a', other: '/x'", "{ link: '/b', other: '/y'"],
    ['code with it', "on ? '/a'", "off ? '/b'"],
    ['another order of two texts', "{ link: '/a', other: '/x'", "{ other: '/x', link: '/b'"],
  ])('%s', (_, old, now) => {
    expect(SCRIPT).toContain(old)
    expect(find(PATH, SCRIPT, SCRIPT.replace(old, now))).not.toBeNull()
  })

  it.each([
    ['hugo.yaml', 'url: /a\nbase: /x\n', '/x', '/y'],
    ['hugo.yaml', 'url: /a\nbase: /x\n', 'url: /a', 'href: /b'],
    ['hugo.yaml', 'url: /a\nbase: /x\n', 'base: /x\n', ''],
    ['netlify.toml', '[[headers]]\nfor = "/a"\n', 'for', 'to'],
    ['netlify.toml', 'a = 1979-05-27\n', '27', '28'],
    ['netlify.toml', 'a = 1\n', 'a = 1', 'a = 1\n"__proto__" = { command = "x" }'],
  ])('in %s (%#)', (path, text, old, now) => {
    expect(find(path, text, text.replace(old, now))).not.toBeNull()
  })
})
