import { describe, expect, it } from 'vitest'
import type { Dialect } from './dialect.ts'
import { foldAnchor } from './fold-anchor.ts'
import { readPage } from './read-page.ts'

const read = (text: string, dialect: Dialect = 'plain') => readPage(new TextEncoder().encode(text), dialect)
const links = (text: string, dialect: Dialect = 'plain') =>
  read(text, dialect).links.map(({ kind, href, line }) => `${line} ${kind} ${href}`)

describe('links', () => {
  it.each<[name: string, dialect: Dialect, text: string, found: string[]]>([
    [
      'inline, with a title and brackets',
      'plain',
      '[a](b.md "t") and\n[c](<d e.md>)\n',
      ['1 link b.md', '2 link d e.md'],
    ],
    ['escapes and references', 'plain', '[a](b\\_c.md?x=1&amp;y=2)\n', ['1 link b_c.md?x=1&y=2']],
    ['definitions', 'plain', 'x [a] [b][a]\n\n[a]: ./c.md#d\n', ['3 link ./c.md#d']],
    ['images in links', 'plain', '[![a](i.png)](t.md)\n', ['1 image i.png', '1 link t.md']],
    ['autolinks are none', 'plain', '<https://x.test> www.x.test https://y.test\n', []],
    ['code is none', 'plain', '`[a](b.md)`\n\n```md\n[c](d.md)\n```\n\n    [e](f.md)\n', []],
    [
      'tables, lists, quotes, footnotes',
      'plain',
      '> - [a](b)\n\n| x |\n| - |\n| [c](d) |\n\n[^1]\n\n[^1]: [e](f)\n',
      ['1 link b', '5 link d', '9 link f'],
    ],
    [
      'HTML',
      'plain',
      '<a\n href="b.md">x</a> <img src=c.png :src="d">\n\n<div>\n<a href=\'e\'>\n',
      ['2 attribute b.md', '2 attribute c.png', '5 attribute e'],
    ],
    [
      'not in comments and scripts',
      'plain',
      '<!-- <a href="b"> -->\n\n<script>\nx = "<a href=\'c\'>"\n</script>\n\n<pre>\n<a href="d">\n</pre>\n',
      [],
    ],
    [
      'JSX attributes',
      'mdx',
      '<Card href="/a&amp;b" img="/i.png" to="x">\n  <A to="/c" src={"./d"} href={`/e`} />\n</Card>\n',
      ['1 attribute /a&b', '1 attribute /i.png', '2 attribute /c', '2 attribute ./d', '2 attribute /e'],
    ],
    ['expressions are unknown', 'mdx', '<A href={base + "/b"} src={f("/c")} to={d} />\n', []],
    [
      'imports of files',
      'mdx',
      "import A from './a.mdx'\nimport B from 'b'\nimport c from '/snippets/c.mdx'\nimport d from '@site/d.png'\n\n# T\n",
      ['1 import ./a.mdx', '3 import /snippets/c.mdx'],
    ],
    [
      'admonitions and tabs of Python-Markdown',
      'plain',
      '!!! note "T"\n    [a](b.md)\n\n    === "Tab"\n\n        [c](d.md)\n\n            [code](e.md)\n\n[f](g.md)\n',
      ['2 link b.md', '6 link d.md', '10 link g.md'],
    ],
    ['line ends of Windows', 'plain', '# T\r\n\r\n[a](b.md)\r\n', ['3 link b.md']],
  ])('%s (%s)', (_, dialect, text, found) => {
    expect(links(text, dialect)).toEqual(found)
  })
})

describe('anchors', () => {
  const anchors = (text: string, dialect: Dialect = 'plain') => {
    const content = read(text, dialect)
    return (anchor: string) => content.anchors.includes(foldAnchor(anchor))
  }
  it.each<[name: string, text: string, ids: string[]]>([
    ['of GitHub', '## OAuth 2.0 & `code`\n', ['oauth-20--code']],
    ['of Mintlify', '## OAuth 2.0\n\n## robots.txt\n', ['oauth-2-0', 'robotstxt']],
    ['of VitePress', '## 1. Größe\n', ['_1-große', '_1-grosse'.replace('grosse', 'große')]],
    ['of MkDocs', '## Größe und Maß\n', ['groe-und-ma', 'große-und-maß']],
    ['of headings that repeat', '## A b\n\n## A b\n', ['a-b', 'a-b-1', 'a-b_1', 'a-b-2']],
    ['with links, emphasis and images', '## [A](x) *b* ![c](d.png) **e**\n', ['a-b-e', 'a-b--e']],
    ['underlined', 'A heading\n===\n', ['a-heading']],
    [
      'explicit',
      '## T {#own}\n\n## U {: #other .x }\n\n<a id="third"></a>\n\n<a name=fourth>\n',
      ['own', 't', 'other', 'third', 'fourth'],
    ],
    ['of other scripts', '## 日本語\n', ['日本語']],
  ])('%s', (_, text, ids) => {
    const has = anchors(text)
    for (const id of ids) expect(has(id), id).toBe(true)
    expect(has('nowhere')).toBe(false)
  })
  it('explicit ones and components in MDX', () => {
    const has = anchors(
      '## T {#own}\n\n<Accordion title="Ask me">\n\n## Inside\n\n</Accordion>\n\n<i id={"x1"} />\n',
      'mdx',
    )
    for (const id of ['own', 'ask-me', 'inside', 'x1']) expect(has(id), id).toBe(true)
  })
  it.each<[name: string, dialect: Dialect, text: string, more: boolean]>([
    ['plain', 'plain', '# A\n', false],
    ['includes of MkDocs', 'plain', '--8<-- "x.md"\n', true],
    ['includes of VitePress', 'plain', '<!--@include: ./x.md-->\n', true],
    ['includes of mdBook', 'plain', '{{#include x.md}}\n', true],
    ['generated reference', 'plain', '::: package.module\n', true],
    ['macros in code are none', 'plain', '```js\n{{ a }}\n--8<-- "x"\n```\n', false],
    ['a container is none', 'plain', '::: tip\nx\n:::\n', false],
    ['a component of the repository', 'mdx', "import A from './a.mdx'\n\n<A />\n", true],
    ['one that is not used', 'mdx', "import A from './a.mdx'\n\nText\n", false],
    ['one of the framework', 'mdx', "import Tabs from '@theme/Tabs'\n\n<Tabs />\n", false],
    ['an expression in a heading', 'mdx', '# A {b}\n', true],
    ['an expression as id', 'mdx', '<i id={a} />\n', true],
  ])('more than are seen: %s', (_, dialect, text, more) => {
    expect(read(text, dialect).moreAnchors).toBe(more)
  })
})

describe('what is hostile ends soon', () => {
  const big = 100_000
  it.each<[name: string, dialect: Dialect, text: string]>([
    ['10 MB', 'plain', 'a'.repeat(10_000_000)],
    ['links', 'plain', '[a](b)\n\n'.repeat(4_000)],
    ['100,000 links in one paragraph', 'plain', '[a](b)\n'.repeat(100_000)],
    ['headings', 'plain', '# a\n'.repeat(5_000)],
    ['a heading of many words', 'plain', `# ${Array.from({ length: 5_000 }, (_, n) => n).join(' ')}\n`],
    ['open comments', 'mdx-directives', '<!--\n\n'.repeat(big / 6)],
    ['open comments in HTML', 'plain', '<div><!--\n\n'.repeat(big / 12)],
    ['attributes', 'plain', `<div ${'a="" '.repeat(big / 6)}>`],
    ['attributes without an end', 'plain', `<div ${'a='.repeat(big / 3)}>`],
    ['letters', 'plain', `<div ${'a'.repeat(big)}>`],
    ['quotes', 'plain', `<div a=${'"'.repeat(big / 2)}>`],
    ['many lines of attributes', 'plain', `<div\n${'href="b"\n'.repeat(big / 10)}>`],
    ['imports', 'mdx', 'import A from "./a.mdx"\n'.repeat(300)],
    ['braces after headings', 'mdx', `# ${'{#'.repeat(900)}\n\n`.repeat(200)],
    ['indented admonitions', 'plain', Array.from({ length: 300 }, (_, n) => `${' '.repeat(n)}!!! note "x"\n`).join('')],
    ['nested lists', 'plain', Array.from({ length: 60 }, (_, n) => `${' '.repeat(2 * n)}- a\n`).join('')],
    ['front matter of spaces', 'plain', `---\ntitle:${' '.repeat(60_000)}\n---\n`],
  ])('%s (%s)', (_, dialect, text) => {
    const started = process.cpuUsage()
    const content = read(text, dialect)
    const { user, system } = process.cpuUsage(started)
    expect(content.links.length).toBeLessThanOrEqual(20_000)
    expect(content.anchors.length).toBeLessThanOrEqual(80_000)
    // Those are small, for the sake of the suite; what takes longer than its time is for the thread's limit.
    expect((user + system) / 1_000_000).toBeLessThan(4)
  })
  it('what is beyond the limit is told', () => {
    expect(read('a'.repeat(1_100_000)).unread).toBe('it is larger than 1 MB')
    expect(readPage(Uint8Array.from([0, 1, 2]), 'plain').unread).toBe('it is not UTF-8 text')
    expect(read('>'.repeat(1_000)).unread).toMatch(/nests too many/)
  })
})
