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
      'inline links with a title and brackets',
      'plain',
      '[a](b.md "t") and\n[c](<d e.md>)\n',
      ['1 link b.md', '2 link d e.md'],
    ],
    ['escapes and references', 'plain', '[a](b\\_c.md?x=1&amp;y=2)\n', ['1 link b_c.md?x=1&y=2']],
    ['link definitions', 'plain', 'x [a] [b][a]\n\n[a]: ./c.md#d\n', ['3 link ./c.md#d']],
    ['images in links', 'plain', '[![a](i.png)](t.md)\n', ['1 image i.png', '1 link t.md']],
    ['autolinks, which are ignored', 'plain', '<https://x.test> www.x.test https://y.test\n', []],
    ['code, which is ignored', 'plain', '`[a](b.md)`\n\n```md\n[c](d.md)\n```\n\n    [e](f.md)\n', []],
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
      'comments and scripts, which are ignored',
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
    ['expressions, which are ignored', 'mdx', '<A href={base + "/b"} src={f("/c")} to={d} />\n', []],
    [
      'imports of files',
      'mdx',
      "import A from './a.mdx'\nimport B from 'b'\nimport c from '/snippets/c.mdx'\nimport d from '@site/d.png'\n\n# T\n",
      ['1 import ./a.mdx', '3 import /snippets/c.mdx', '4 import @site/d.png'],
    ],
    [
      'tags whose content is Markdown',
      'plain',
      '<figure markdown>\n  ![a](b.png){ width=600 }\n  <figcaption>c</figcaption>\n</figure>\n\n<div class="x" markdown="1">\n[c](d.md)\n</div>\n\n<div>\n[e](f.md)\n</div>\n',
      ['2 image b.png', '7 link d.md'],
    ],
    [
      'Python-Markdown admonitions and tabs',
      'plain',
      '!!! note "T"\n    [a](b.md)\n\n    === "Tab"\n\n        [c](d.md)\n\n            [code](e.md)\n\n[f](g.md)\n',
      ['2 link b.md', '6 link d.md', '10 link g.md'],
    ],
    ['CRLF line endings', 'plain', '# T\r\n\r\n[a](b.md)\r\n', ['3 link b.md']],
  ])('reads %s (%s)', (_, dialect, text, found) => {
    expect(links(text, dialect)).toEqual(found)
  })
})

describe('references to pages', () => {
  it('are links, except in fenced code', () => {
    const text =
      '{{< ref "a#b" >}} [x]({{% relref "c.md" %}})\n\n```md\n{doc}`d`\n{{< ref "e" >}}\n```\n\n{{</* ref "f" */>}} {doc}`g <h>`\n'
    const { links } = readPage(new TextEncoder().encode(text), 'plain')
    expect(links.map(({ href, line }) => `${line} ${href}`)).toEqual(['1 a#b', '1 c.md', '8 h'])
  })

  it('and front matter in TOML do not change other results', () => {
    const page = readPage(
      new TextEncoder().encode('+++\ntitle = "[a](b.md)"\nurl = "/x/"\ndraft = true\n+++\n\n# T\n'),
      'plain',
    )
    expect(page.links).toEqual([])
    expect(page.facts).toMatchObject({ url: '/x/', hidden: true })
  })
})

describe('definitions', () => {
  it('follow a definition whose destination is a shortcode', () => {
    const { links } = read('[a] [b]\n\n[a]: {{% url rss %}}\n[b]: c.md\n', 'plain')
    expect(links.map(({ href }) => href)).toEqual(['{{%_url_rss_%}}', 'c.md'])
  })
})

describe('anchors', () => {
  const anchors = (text: string, dialect: Dialect = 'plain') => {
    const content = read(text, dialect)
    return (anchor: string) => content.anchors.includes(foldAnchor(anchor))
  }
  it.each<[name: string, text: string, ids: string[]]>([
    ['GitHub', '## OAuth 2.0 & `code`\n', ['oauth-20--code']],
    ['Mintlify', '## OAuth 2.0\n\n## robots.txt\n', ['oauth-2-0', 'robotstxt']],
    ['VitePress', '## 1. Größe\n', ['_1-große', '_1-grosse'.replace('grosse', 'große')]],
    ['MkDocs', '## Größe und Maß\n', ['groe-und-ma', 'große-und-maß']],
    ['repeated headings', '## A b\n\n## A b\n', ['a-b', 'a-b-1', 'a-b_1', 'a-b-2']],
    ['headings with links, emphasis and images', '## [A](x) *b* ![c](d.png) **e**\n', ['a-b-e', 'a-b--e']],
    ['underlined headings', 'A heading\n===\n', ['a-heading']],
    [
      'explicit ids',
      '## T {#own}\n\n## U {: #other .x }\n\n<a id="third"></a>\n\n<a name=fourth>\n',
      ['own', 't', 'other', 'third', 'fourth'],
    ],
    ['attributes of headings', '## T { id="9.7.0" }\n\n## U {: id=other }\n', ['9.7.0', 't', 'other']],
    ['headings after a formula with a label', '$$\na\n$$ (eq)\n\n## Part\n\n$$\na\n$$\n\n## End\n', ['part', 'end']],
    ['settings in comments', '## <!-- md:setting config.blog_dir -->\n', ['config.blog_dir']],
    ['other scripts', '## 日本語\n', ['日本語']],
  ])('match those of %s', (_, text, ids) => {
    const has = anchors(text)
    for (const id of ids) expect(has(id), id).toBe(true)
    expect(has('nowhere')).toBe(false)
  })
  it('are numbered for repeated headings only', () => {
    const has = anchors('<div id="part">\n\n## Part\n\n</div>\n\n## Other {#other}\n')
    expect([has('part'), has('part-1'), has('other-1')]).toEqual([true, false, false])
  })
  it('include the ids of API parameters in MDX', () => {
    const has = anchors(
      '<ParamField path="userId" type="string">x</ParamField>\n\n<ResponseField name="a.b" />\n',
      'mdx',
    )
    for (const id of ['param-user-id', 'param-a-b']) expect(has(id), id).toBe(true)
    expect(has('param-type')).toBe(false)
  })
  it('include explicit ids and components in MDX', () => {
    const has = anchors(
      '## T {#own}\n\n<Accordion title="Ask me">\n\n## Inside\n\n</Accordion>\n\n<i id={"x1"} />\n',
      'mdx',
    )
    for (const id of ['own', 'ask-me', 'inside', 'x1']) expect(has(id), id).toBe(true)
  })
  it.each<[name: string, dialect: Dialect, text: string, more: boolean]>([
    ['plain text: false', 'plain', '# A\n', false],
    ['MkDocs includes: true', 'plain', '--8<-- "x.md"\n', true],
    ['VitePress includes: true', 'plain', '<!--@include: ./x.md-->\n', true],
    ['mdBook includes: true', 'plain', '{{#include x.md}}\n', true],
    ['generated reference: true', 'plain', '::: package.module\n', true],
    ['a script: false', 'plain', '<script setup>\nimport { ref } from "vue"\nconst a = ref(1)\n</script>\n', false],
    ['a script with a component: true', 'plain', '<script setup>\nimport A from "./A.vue"\n</script>\n', true],
    ['a script that loads a component: true', 'plain', '<script>\nload(() => import("@/A.vue"))\n</script>\n', true],
    ['a Vue script that loads a component: true', 'vue', '<script>\nload(() => import("@/A.vue"))\n</script>\n', true],
    ['macros in code: false', 'plain', '```js\n{{ a }}\n--8<-- "x"\n```\n', false],
    ['a container: false', 'plain', '::: tip\nx\n:::\n', false],
    ['a component from the repository: true', 'mdx', "import A from './a.mdx'\n\n<A />\n", true],
    ['an unused component: false', 'mdx', "import A from './a.mdx'\n\nText\n", false],
    ['a component from the framework: false', 'mdx', "import Tabs from '@theme/Tabs'\n\n<Tabs />\n", false],
    ['an expression in a heading: true', 'mdx', '# A {b}\n', true],
    ['an expression as id: true', 'mdx', '<i id={a} />\n', true],
  ])('may be incomplete: %s', (_, dialect, text, more) => {
    const { moreAnchors, idSources, idIncludes } = read(text, dialect)
    expect(moreAnchors || idSources.length + idIncludes.length > 0).toBe(more)
  })
})

/** Returns the CPU time in ms and the result. */
function measure<T>(run: () => T): [ms: number, result: T] {
  const started = process.cpuUsage()
  const result = run()
  const { user, system } = process.cpuUsage(started)
  return [(user + system) / 1000, result]
}

describe('hostile pages', () => {
  const big = 100_000
  it.each<[name: string, dialect: Dialect, size: number, build: (size: number) => string]>([
    ['10 MB', 'plain', 10_000_000, (n) => 'a'.repeat(n)],
    ['links', 'plain', 4_000, (n) => '[a](b)\n\n'.repeat(n)],
    ['40,000 links in one paragraph', 'plain', 40_000, (n) => '[a](b)\n'.repeat(n)],
    ['headings', 'plain', 5_000, (n) => '# a\n'.repeat(n)],
    ['a heading of many words', 'plain', 5_000, (n) => `# ${Array.from({ length: n }, (_, at) => at).join(' ')}\n`],
    ['unclosed comments', 'mdx-directives', big / 6, (n) => '<!--\n\n'.repeat(n)],
    ['unclosed comments in HTML', 'plain', big / 12, (n) => '<div><!--\n\n'.repeat(n)],
    ['attributes', 'plain', big / 6, (n) => `<div ${'a="" '.repeat(n)}>`],
    ['unfinished attributes', 'plain', big / 3, (n) => `<div ${'a='.repeat(n)}>`],
    ['a long run of letters', 'plain', big, (n) => `<div ${'a'.repeat(n)}>`],
    ['quotes', 'plain', big / 2, (n) => `<div a=${'"'.repeat(n)}>`],
    ['many lines of attributes', 'plain', big / 10, (n) => `<div\n${'href="b"\n'.repeat(n)}>`],
    ['imports', 'mdx', 300, (n) => 'import A from "./a.mdx"\n'.repeat(n)],
    ['braces after headings', 'mdx', 200, (n) => `# ${'{#'.repeat(900)}\n\n`.repeat(n)],
    [
      'indented admonitions',
      'plain',
      300,
      (n) => {
        return Array.from({ length: n }, (_, at) => `${' '.repeat(at)}!!! note "x"\n`).join('')
      },
    ],
    ['nested lists', 'plain', 60, (n) => Array.from({ length: n }, (_, at) => `${' '.repeat(2 * at)}- a\n`).join('')],
    ['front matter with many spaces', 'plain', 60_000, (n) => `---\ntitle:${' '.repeat(n)}\n---\n`],
  ])('are read in time proportional to their length: %s (%s)', (_, dialect, size, build) => {
    const [quarter, full] = [build(Math.ceil(size / 4)), build(size)]
    const [first, content] = measure(() => read(full, dialect))
    expect(content.links.length).toBeLessThanOrEqual(20_000)
    expect(content.anchors.length).toBeLessThanOrEqual(80_000)
    // Less than 40 ms for a quarter of the text is mostly noise.
    if (first < 400) return
    const [base] = measure(() => read(quarter, dialect))
    const limit = (2.5 * Math.max(base, 40) * full.length) / quarter.length
    // A busy machine may slow down one measurement.
    const ms = first < limit ? first : measure(() => read(full, dialect))[0]
    // Quadratic growth would be four times as much as linear growth.
    expect(ms).toBeLessThan(limit)
  })
  it('are rejected with a reason when they are too large or not text', () => {
    expect(read('a'.repeat(1_100_000)).unread).toBe('it is larger than 1 MB')
    expect(readPage(Uint8Array.from([0, 1, 2]), 'plain').unread).toBe('it is not UTF-8 text')
    expect(read('>'.repeat(1_000)).unread).toMatch(/nests too many/)
  })
})

describe('ids', () => {
  const hasId = (text: string, id: string) => read(text).anchors.includes(foldAnchor(id))

  it.each<[name: string, text: string, id: string]>([
    ['a heading with a soft hyphen', '# Long&shy;word\n', 'longword'],
    ['a heading with an icon', '# Title :star:\n', 'title'],
    ['a heading with the name of an icon', '# Title :star:\n', 'title-star'],
    ['a comment with a directive', '<!-- md:option toc.slugify -->\n', '+toc.slugify'],
    ['a comment with a directive in text', 'A <!-- md:option toc.slugify --> b\n', '+toc.slugify'],
    ['an attribute list in text', '^a^{#\\_fn_1} b\n', '_fn_1'],
    ['an attribute list with a class', 'a\n{: .x #y }\n', 'y'],
  ])('of %s', (_, text, id) => {
    expect(hasId(text, id)).toBe(true)
  })

  it('are not the words of other comments', () => {
    expect(hasId('<!-- slugify later -->\n', 'slugify')).toBe(false)
  })
})
