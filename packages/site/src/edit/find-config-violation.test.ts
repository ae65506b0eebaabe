import { describe, expect, it } from 'vitest'
import { findConfigViolation } from './find-config-violation.ts'

const find = (path: string, before: string, after: string) =>
  findConfigViolation(path, new TextEncoder().encode(before), new TextEncoder().encode(after))

const VITEPRESS = `import { defineConfig } from 'vitepress'
import plugin from './plugin'

// Kept.
export default defineConfig({
  title: 'Docs',
  head: [['script', {}, 'track()']],
  vite: { plugins: [plugin()] },
  themeConfig: {
    nav: nav(),
    sidebar: {
      '/guide/': [
        { text: 'Guide', items: [{ text: 'Start', link: '/guide/start' }, ...more()] },
        { text: build(), link: \`/x/\${y}\` },
      ],
    },
  },
})

function nav(): Item[] {
  return [{ text: 'Home', link: '/' }]
}
`
const PATH = '.vitepress/config.ts'

describe('a script may change in the literals of its navigation', () => {
  it.each<[name: string, old: string, now: string]>([
    ['a string', "'/guide/start'", "'/guide/begin'"],
    ['a string with other quotes', "'/guide/start'", '"/guide/start"'],
    ['a template without expressions', "'/guide/start'", '`/guide/start`'],
    [
      'a new entry',
      "{ text: 'Start'",
      "{ text: 'New', link: '/n', items: [{ text: 'A', link: '/a' }] }, { text: 'Start'",
    ],
    ['a removed entry', "{ text: 'Start', link: '/guide/start' }, ", ''],
    ['a new property', "'Guide', items", "'Guide', collapsed: true, items"],
    ['a new group', "'/guide/': [", "'/api/': [{ text: 'API', link: '/api/' }],\n      '/guide/': ["],
    ['a title', "'Guide'", "'Learn'"],
    [
      'the list that a function returns',
      "{ text: 'Home', link: '/' }",
      "{ text: 'Home', link: '/home' }, { text: 'B', link: '/b' }",
    ],
    ['a comment in a list', "'/guide/': [", "'/guide/': [\n        // Note.\n"],
  ])('%s', (_, old, now) => {
    expect(VITEPRESS).toContain(old)
    expect(find(PATH, VITEPRESS, VITEPRESS.replace(old, now))).toBeNull()
  })
})

describe('any other change of a script is rejected', () => {
  it.each<[name: string, old: string, now: string]>([
    ['an expression in a template', "'/guide/start'", `\`/guide/\${process.env.TOKEN}\``],
    ['a tagged template', "'/guide/start'", 'run`/guide/start`'],
    ['a call', "'/guide/start'", "require('fs')"],
    ['a name', "'/guide/start'", 'process'],
    ['a computed key', "text: 'Start'", "[run()]: 'Start'"],
    ['a computed key that is a string', "text: 'Start'", "['text']: 'Start'"],
    ['__proto__', "text: 'Start'", '__proto__: {}'],
    ['a quoted __proto__', "text: 'Start'", "'__proto__': {}"],
    ['an escaped __proto__', "text: 'Start'", "'__pr\\u006fto__': {}"],
    ['a method', "text: 'Start'", 'text() { run() }'],
    ['a getter', "text: 'Start'", 'get text() { return run() }'],
    ['a shorthand', "text: 'Start'", 'plugin'],
    ['a spread', "text: 'Start'", '...plugin'],
    ['a function', "text: 'Start'", 'text: () => run()'],
    ['a regular expression', "text: 'Start'", 'text: /x/'],
    ['a concatenation', "'/guide/start'", "'/guide' + run()"],
    ['an assignment', "'/guide/start'", "(globalThis.x = '/guide/start')"],
    ['a sequence', "'/guide/start'", "(run(), '/guide/start')"],
    ['an import expression', "'/guide/start'", "import('./x')"],
    ['a removed call', ', ...more()', ''],
    ['an added call', "'/guide/': [", "'/x/': [{ text: build() }],\n      '/guide/': ["],
    ['the argument of a call', 'build()', "build('x')"],
    ['an expression in an existing template', `\${y}`, `\${z}`],
    ['a script URL', "'/guide/start'", "'java\\nscript:alert(1)'"],
    ['a script URL in a template', "'/guide/start'", '`javascript:alert(1)`'],
    ['a script tag', "'Start'", "'<script>alert(1)</script>'"],
    ['an event handler', "text: 'Start'", "attrs: { onclick: 'alert(1)' }"],
    ['a head entry', "'track()'", "'steal()'"],
    ['the end of a script in a head entry', "'track()'", "'</script><script>x'"],
    ['a title outside of the navigation', "'Docs'", "'Other'"],
    ['an import', "'./plugin'", "'./other'"],
    ['a new import', 'import plugin', "import './x'\nimport plugin"],
    ['a comment outside of the navigation', '// Kept.', '// Changed.'],
    [
      'a closed list with code after it',
      "'/guide/start' }",
      "'/guide/start' }] }] } }, vite: { plugins: [run()] }, x: { y: [{ z: [{",
    ],
    ['a statement', 'return [', 'run(); return ['],
    ['an object instead of a list', "[{ text: 'Home', link: '/' }]", "{ text: 'Home' }"],
    ['a call instead of a list', "[{ text: 'Home', link: '/' }]", 'run()'],
    ['a list instead of a call', 'nav: nav()', 'nav: []'],
    ['a syntax error', "'/guide/start'", "'/guide/start"],
    ['a removed navigation', "return [{ text: 'Home', link: '/' }]", 'return'],
    ['new code at the end', '}\n', '}\nrun()\n'],
  ])('%s', (_, old, now) => {
    expect(VITEPRESS).toContain(old)
    const at = VITEPRESS.lastIndexOf(old)
    const changed = `${VITEPRESS.slice(0, at)}${now}${VITEPRESS.slice(at + old.length)}`
    expect(find(PATH, VITEPRESS, changed)).not.toBeNull()
  })

  it('line endings, byte order marks and binary content', () => {
    expect(find(PATH, VITEPRESS, VITEPRESS.replaceAll('\n', '\r\n'))).toMatch(/line endings/)
    expect(find(PATH, VITEPRESS, `\uFEFF${VITEPRESS}`)).toMatch(/line endings/)
    expect(find(PATH, VITEPRESS, '\0')).toMatch(/not UTF-8 text/)
  })
})

describe('navigation by framework', () => {
  it.each<[path: string, before: string, old: string, now: string]>([
    ['sidebars.js', "module.exports = { docs: ['intro', { type: 'category', items: ['a'] }] }\n", "'a'", "'b', 'c'"],
    ['website/sidebars.ts', "const x: SidebarsConfig = { docs: ['a'] }\nexport default x\n", "'a'", "'b'"],
    [
      'docusaurus.config.js',
      "export default { plugins: [['redirects', { redirects: [{ from: '/a', to: '/b' }] }]] }\n",
      "'/b'",
      "'/c'",
    ],
    [
      'astro.config.mjs',
      "export default defineConfig({ integrations: [starlight({ sidebar: [{ label: 'A', slug: 'a' }] })] })\n",
      "'a'",
      "'b'",
    ],
    ['_meta.js', "export default { a: 'A' }\n", "a: 'A'", "a: 'A', b: 'B'"],
    [
      'app/_meta.global.tsx',
      "const m = { a: { title: <b>x</b>, items: { b: 'B' } } }\nexport default m\n",
      "'B'",
      "'C'",
    ],
    ['.vitepress/nav.ts', "export default [{ text: 'A', link: '/a' }] as const\n", "'/a'", "'/b'"],
    ['.vitepress/config.ts', "export const enSidebar = (): S => [{ text: 'A', link: '/a' }]\n", "'/a'", "'/b'"],
  ])('%s', (path, before, old, now) => {
    expect(find(path, before, before.replace(old, now))).toBeNull()
  })

  it('the name of a plugin next to redirects cannot be changed', () => {
    const before = "export default { plugins: [['redirects', { redirects: [{ from: '/a', to: '/b' }] }]] }\n"
    expect(find('docusaurus.config.js', before, before.replace("['redirects'", "['evil'"))).toMatch(/outside/)
    expect(find('docusaurus.config.js', before, before.replace('plugins: [', "plugins: ['evil', "))).toMatch(/outside/)
  })

  it('a list of entries in a call may change, but not its other arguments', () => {
    const before =
      "export const sidebar = [group('start', { key: 'k', items: ['a', 'b'] }), f(['c'], { items: g() })]\n"
    const change = (old: string, now: string) => find('astro.sidebar.ts', before, before.replace(old, now))
    expect(change("'b'", "'c', 'd'")).toBeNull()
    for (const [old, now] of [
      ["'start'", "'end'"],
      ["'k'", "'l'"],
      ['group(', 'run('],
      ["['c']", "['d']"],
      ["'b'", 'run()'],
      ['g()', "['e']"],
    ] as const)
      expect(change(old, now), now).toMatch(/code in the navigation/)
  })

  it('a file without navigation cannot be changed', () => {
    expect(find('.vitepress/theme.ts', "export default ['a']\n", "export default ['b']\n")).toMatch(/no navigation/)
  })
})

describe('data files', () => {
  const vercel = '{ "buildCommand": "x", "redirects": [{ "source": "/a", "destination": "/b" }] }\n'
  const netlify =
    '[build]\ncommand = "x"\n\n[[redirects]]\nfrom = "/a"\nto = "/b"\n\n[[redirects]]\nfrom = "/api/*"\nto = "https://x.example"\nstatus = 200\n'
  const book = '[book]\ntitle = "B"\n\n[output.html]\ntheme = "t"\n\n[output.html.redirect]\n"/a.html" = "b.html"\n'
  const lines = '# Kept.\n/a /b 301\n/api/* https://x.example 200\n'
  it.each<[path: string, before: string, old: string, now: string]>([
    ['vercel.json', vercel, '"/b" }', '"/c", "permanent": true }, { "source": "/d", "destination": "/e" }'],
    ['netlify.toml', netlify, 'to = "/b"\n', 'to = "/c"\n\n[[redirects]]\nfrom = "/d"\nto = "/e"\nstatus = 302\n'],
    ['book.toml', book, '"b.html"\n', '"c.html"\n"/d.html" = "e.html"\n'],
    ['public/_redirects', lines, '/a /b 301\n', '/a  /c\n/d /e 302!\n'],
    ['redirects.json', '[{"source":"/a","destination":"/b"}]', '/b', '/c'],
  ])('%s: redirects may change', (path, before, old, now) => {
    expect(find(path, before, before.replace(old, now))).toBeNull()
  })

  it.each<[path: string, before: string, old: string, now: string]>([
    ['vercel.json', vercel, '"x"', '"rm -rf /"'],
    ['vercel.json', vercel, '{ "build', '{ "headers": [], "build'],
    ['vercel.json', vercel, '"redirects": [', '"redirects": [], "rewrites": ['],
    ['vercel.json', vercel, '"destination": "/b"', '"destination": "/b", "headers": {}'],
    ['vercel.json', vercel, '"/b"', '"javascript:alert(1)"'],
    ['vercel.json', vercel, '}\n', '\n'],
    ['netlify.toml', netlify, '"x"', '"y"'],
    ['netlify.toml', netlify, 'command = "x"', 'command = """\nx\n[[redirects]]\n"""'],
    ['netlify.toml', netlify, 'to = "/b"', 'to = "/b"\nstatus = 200'],
    ['netlify.toml', netlify, 'https://x.example', 'https://evil.example'],
    ['netlify.toml', netlify, 'to = "/b"', 'to = "/b"\n[[plugins]]\npackage = "evil"'],
    ['book.toml', book, '"t"', '"u"'],
    ['book.toml', book, '[output', '[preprocessor.evil]\ncommand = "x"\n\n[output'],
    ['book.toml', book, '"b.html"', '"javascript:alert(1)"'],
    ['_redirects', lines, '/b 301', 'https://evil.example 200'],
    ['_redirects', lines, 'https://x.example', 'https://evil.example'],
    ['_redirects', lines, '/b 301', 'javascript:alert(1)'],
    ['redirects.json', '[]', ']', ''],
  ])('%s: anything else is rejected (%#)', (path, before, old, now) => {
    expect(before).toContain(old)
    expect(find(path, before, before.replace(old, now))).not.toBeNull()
  })
})

describe('hostile input', () => {
  it('deep nesting and long lists take no longer than a parse', () => {
    const deep = `export default { sidebar: ${'['.repeat(5_000)}${']'.repeat(5_000)} }`
    expect(find(PATH, VITEPRESS, deep)).not.toBeNull()
    const long = `export default { sidebar: [${"'/a',".repeat(20_000)}] }\n`
    expect(find(PATH, "export default { sidebar: ['/b'] }\n", long)).toBeNull()
  })
})
