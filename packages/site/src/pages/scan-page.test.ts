import { readSiteFixtures } from '@corrigenda/testkit'
import { describe, expect, it } from 'vitest'
import { buildRandom, type Random, SEED } from '../test-support/build-random.ts'
import type { Dialect } from './dialect.ts'
import { readPage } from './read-page.ts'
import { scanPage } from './scan-page.ts'

const ROUNDS = Number(process.env.ROUNDS ?? 60)
const DIALECTS: readonly Dialect[] = ['plain', 'mdx', 'mdx-directives']
const encode = (text: string) => new TextEncoder().encode(text)

/** Returns the links that the parser finds and the scanner does not. */
function listMissed(text: string): string[] {
  const bytes = encode(text)
  const { shown, hidden } = scanPage(bytes)
  const found = new Set([...shown, ...hidden].map(({ kind, href }) => `${kind} ${href}`))
  const links = DIALECTS.flatMap((dialect) => readPage(bytes, dialect).links)
  return links.map(({ kind, href }) => `${kind} ${href}`).filter((link) => !found.has(link))
}

const pages = Object.values(readSiteFixtures()).flatMap((files) =>
  Object.entries(files).flatMap(([path, text]) => (/\.mdx?$/.test(path) && typeof text === 'string' ? [text] : [])),
)

/** Fragments of links, and of the constructs around them. */
const FRAGMENTS = [
  '[a](b.md)',
  '![a](b.png "t")',
  '[a](<b c.md>)',
  '[a]: b.md',
  '[a]:\n  <b>',
  '[a](\n  b)',
  '[x][a]',
  '[a](b\\)c)',
  '[a](b(c)d)',
  '[![a](b)](c)',
  '<a href="b">',
  '<a href=b>',
  "<img src='b.png'/>",
  '<A to={"/b"}/>',
  '<A href={`b`}>',
  '{{< ref "b.md" >}}',
  '{doc}`b`',
  '{ref}`a <b>`',
  '{{#include a.md:2}}',
  '<!--@include: ./a.md-->',
  '<img src={require("./b.png")} />',
  '---\nhero:\n  actions:\n    - link: /b\n      "href": \'c\'\n---\n',
  '<img srcset="a.png 1x, b.png 2x">',
  '<source srcSet={"a.png,b.png"} />',
  '{% file src="a.pdf" %}',
  '{{< figure src="a.png" link="b" >}}',
  '```{figure} a.png\n',
  '{{< readfile "a.md" >}}',
  ':::{include} a.md\n',
  '{download}`a <b.zip>`',
  '<a\n  href="b"\n>',
  '<div>',
  '</div>',
  '</a>',
  '<!-- ',
  ' -->',
  'import A from "./b.mdx"',
  "import './b.png'",
  '&amp;',
  '&#35;',
  '\\',
  '\\]',
  '`',
  '```\n',
  '~~~\n',
  '> ',
  '- ',
  '1. ',
  '    ',
  '\n',
  '\n\n',
  '# ',
  '## A {#b}',
  '| ',
  '[',
  ']',
  '(',
  ')',
  '<',
  '>',
  '{',
  '}',
  '"',
  "'",
  ':',
  '=',
  ' ',
  'a',
  'href',
  '---\n',
  '!!! note\n    ',
  ':::note\n',
]

describe('scanPage', () => {
  it('finds every link of the fixtures', () => {
    expect(pages.length).toBeGreaterThan(50)
    expect(pages.flatMap(listMissed)).toEqual([])
  })
  it(`finds every link of random pages (SEED=${SEED})`, () => {
    const random = buildRandom(SEED)
    for (let round = 0; round < ROUNDS; round += 1) {
      const part = Array.from({ length: 1 + random.below(12) }, () => random.pick(FRAGMENTS)).join('')
      const text = random.below(10) < 7 ? part : splice(random.pick(pages), part, random)
      expect(listMissed(text), JSON.stringify(text)).toEqual([])
    }
  })
})

/** Inserts text at a random location in a page and returns the lines around it. */
function splice(page: string, part: string, random: Random): string {
  const at = random.below(page.length)
  const lines = (page.slice(0, at) + part + page.slice(at)).split('\n')
  const first = Math.max(0, page.slice(0, at).split('\n').length - 10)
  return lines.slice(first, first + 25).join('\n')
}
