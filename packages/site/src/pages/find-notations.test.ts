import { expect, it } from 'vitest'
import { findNotations } from './find-notations.ts'
import { readLayout } from './read-layout.ts'
import { readPage } from './read-page.ts'

const read = (text: string) =>
  readPage(new TextEncoder().encode(text), 'plain').links.map(
    ({ kind, notation, href, line }) => `${line} ${notation ?? '-'} ${kind} ${href}`,
  )

it.each<[name: string, text: string, found: string[]]>([
  [
    'front matter',
    '---\ntitle: A\nlink: /no\nhero:\n  image:\n    src: \'/i.png\'\n  actions:\n    - { text: A, link: /a }\n    - href: "./b.md#c"\nprev:\n  link: d\npagination_next: e/f\n---\n',
    ['6 front image /i.png', '8 front link /a', '9 front link ./b.md#c', '11 front link d', '12 document link e/f'],
  ],
  ['front matter with escapes and lists', '---\nhero:\n  link: "/a\\u0062"\n  href: [a]\n  src: |\n    b\n---\n', []],
  ['front matter that is not valid', '---\nhero:\n  link: /a\n  b: "\n---\n', []],
  [
    'blocks of GitBook',
    '{% file src="a b (1).pdf" %}\n\n{% content-ref url=\'b/\' %}\n[B](b/)\n{% endcontent-ref %}\n\nSee `{% file src="c" %}`.\n\n```\n{% file src="d" %}\n```\n',
    ['1 tag link a b (1).pdf', '3 tag link b/', '4 - link b/'],
  ],
  [
    'the shortcode for figures',
    '{{< figure src="a.png" caption="b" link="c" >}}\n\n{{< other src="d.png" >}}\n\n```\n{{< figure src="e.png" >}}\n```\n',
    ['1 figure link a.png', '1 figure link c', '6 figure link e.png'],
  ],
  [
    'directives',
    '```{figure} a.png\nA\n```\n\n:::{image} /b.png\n:::\n\n{download}`the file <c.zip>`, {download}`d.zip`\n\n````\n```{figure} e.png\n```\n````\n',
    ['1 asset image a.png', '5 asset image /b.png', '8 asset link c.zip', '8 asset link d.zip'],
  ],
  [
    'roles and references',
    'See {doc}`a`, {doc}`the page <../b>`, {ref}`c d` and `{doc}`. [e]({{< ref "/f.md#g" >}})\n\n```\n{doc}`h`\n```\n',
    ['1 doc link a', '1 doc link ../b', '1 label link c d', '1 ref link /f.md#g'],
  ],
  [
    'sets of images',
    '<picture><source srcset="a.png 1x, b.png, c.png 2x"><img src="d.png"></picture>\n',
    ['1 - attribute a.png', '1 - attribute b.png', '1 - attribute c.png', '1 - attribute d.png'],
  ],
  [
    'an image with spaces in its name',
    '<picture><source srcset=" a b (1).svg "><source srcset="c.svg d.svg 2x"></picture>\n',
    ['1 - attribute a b (1).svg', '1 - attribute c.svg'],
  ],
])('finds links in %s', (_, text, found) => {
  expect(read(text).sort()).toEqual(found.sort())
  // The links can be replaced.
  const { spans = [] } = readLayout(new TextEncoder().encode(text), 'plain').layout ?? {}
  expect(spans.map(({ start, end }) => text.slice(start, end)).sort()).toEqual(
    found.map((row) => row.replace(/^(?:\S+ ){3}/, '')).sort(),
  )
})

it('reads hostile pages in linear time', () => {
  for (const part of ['{% file src="', '{{< figure src="', '```{figure} a ', '{download}`<', '{% file '])
    expect(findNotations(part.repeat(20_000), () => false).length).toBeLessThanOrEqual(20_000)
  for (const part of ['- link: a\n', '{ link: ', '- - link: a\n', 'a: &b [*b, *b]\n'])
    expect(findNotations(`---\n${part.repeat(2_000)}\n---\n`, () => false).length).toBeLessThanOrEqual(5_000)
})
