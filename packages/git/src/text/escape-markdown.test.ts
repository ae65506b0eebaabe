import { describe, expect, test } from 'vitest'
import { findLive, renderGitHub } from '../test-support/render-github.ts'
import { escapeInline, escapeLines, toCode } from './escape-markdown.ts'

const HOSTILE = [
  '<script>alert(1)</script>',
  '<img src="https://evil.test/p.png">',
  '<!-- hidden --><details><summary>x</summary>',
  '<a href="javascript:alert(1)">x</a>',
  '![pixel](https://evil.test/p.png?q=secret)',
  '![pixel][ref]\n\n[ref]: https://evil.test/p.png',
  '[click](javascript:alert(1))',
  '[click]( https://evil.test "t" )',
  '[a b c](<https://evil.test/a b>)',
  '<https://evil.test>',
  'https://evil.test, (http://evil.test) "ftp://evil.test"',
  'www.evil.test and WWW.EVIL.TEST',
  'mail me@evil.test mailto:me@evil.test xmpp:me@evil.test/x',
  '@octocat, cc:@acme/docs (@octocat) `@octocat @octocat',
  '@`octocat` \\@octocat @<b>octocat</b>',
  'Fixes #12, closes acme/docs#12, resolves GH-12',
  'Fixes https://github.com/acme/docs/issues/12',
  'see 3f786850e387550fdab836ed7e6dc881de23001b and acme/docs@3f78685',
  '# heading\n## heading\nheading\n===\nheading\n---',
  '***\n---\n___\n* * *\n- - -',
  '| a | b |\n|---|---|\n| c | d |',
  '```\ncode\n```\n~~~\ncode\n~~~\n````` x',
  '> quote\n> [!WARNING]\n> x',
  '[^1]\n\n[^1]: note',
  '- [ ] task\n- [x] task\n1. # heading\n- > quote\n- - - x',
  '    indented code <b>',
  'a\\`b` `c`d``e` `f`@g',
  '&lt;img&gt; &amp;#64;octocat &#64;octocat &commat;octocat',
  '$`\\href{javascript:alert(1)}{x}`$ $$x$$',
  '/lgtm\n/approve',
  '~~~~ ~strike~ ~~strike~~ **bold** __bold__ *_x_*',
  'a\u202Eb\u2066c\u200Bd\u00ADe\u{E0041}f\u{FEFF}g\u0000h\u001B[31mi',
  '@\u200Boctocat #\u200B12 ht\u200Btps://evil.test w\u00ADww.evil.test',
  '\uD800 lone \uDC00',
  '1986. A year\n12) b\n1.\n+ plus\n+\n=\n-',
]

const ATOMS = [
  ...'`<>|\\&$*_~[]()!#@+-=/:.;,"\'0123456789abcfxyz'.split(''),
  ...' \n\n\t'.split(''),
  'https://e.test/',
  'www.',
  '#1',
  '@bob',
  'GH-2',
  '![',
  '](',
  '```',
  '~~~',
  '<b>',
  '<!--',
  '-->',
  '&#64;',
  '    ',
  '- ',
  '1. ',
  '> ',
  '||',
  '---',
  'deadbeef1',
  'a@b.cc',
  '\u200B',
  '\u202E',
  '\u{1F600}',
  'é',
  '\u200D',
  '``',
]

/** Builds a generator that returns the same numbers on every run (mulberry32). */
function buildRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

function expectInert(markdown: string, source: string): void {
  const rendered = renderGitHub(markdown)
  expect({ source, active: rendered.active, links: rendered.links, live: findLive(rendered.text) }).toEqual({
    source,
    active: [],
    links: [],
    live: [],
  })
  expect(markdown).not.toContain('<')
}

describe('escapeLines', () => {
  test.each(HOSTILE)('makes %j inert', (text) => {
    expectInert(escapeLines(text).join('\n'), text)
    expectInert(
      escapeLines(text)
        .map((line) => `> ${line}`)
        .join('\n'),
      text,
    )
    const html = renderGitHub(escapeLines(text).join('\n')).html
    expect(html).not.toMatch(/<(h\d|hr|pre|table|input|sup|blockquote|em|strong|del)\b/)
  })

  test('makes random hostile text inert in lines, quotes and tables', () => {
    const random = buildRandom(20)
    for (let round = 0; round < 100; round += 1) {
      const length = 1 + Math.floor(random() * 24)
      const text = Array.from({ length }, () => ATOMS[Math.floor(random() * ATOMS.length)]).join('')
      const lines = escapeLines(text)
      expectInert(lines.join('\n'), text)
      expectInert(lines.map((line) => `> ${line}`).join('\n'), text)
      const table = `| a | b |\n| - | - |\n| ${escapeInline(text)} | ${toCode(text)} |`
      expectInert(table, text)
      expect(renderGitHub(table).html.match(/<td>/g), text).toHaveLength(2)
    }
  })

  test('keeps ordinary text readable', () => {
    const text = 'Documented `--json` in snake_case.\n\n- the flag, 50% & more\n2. C# (see docs/a.md)'
    expect(escapeLines(text)).toEqual([
      'Documented `--json` in snake_case.',
      '',
      '- the flag, 50% &amp; more',
      '2. C# (see docs/a.md)',
    ])
    const { text: visible } = renderGitHub(escapeLines('5 < 6 | a\\b *x* [y] `<T>` $1').join('\n'))
    expect(visible.replaceAll('\u0001', '')).toBe('5 < 6 | a\\b *x* [y] `<T>` $1')
  })

  test('removes invisible characters and keeps joiners', () => {
    expect(escapeLines('a\u202Eb\u200Bc\u{E0041}d')).toEqual(['abcd'])
    expect(escapeLines('\u{1F468}\u200D\u{1F469} می\u200Cخواهم')).toEqual(['\u{1F468}\u200D\u{1F469} می\u200Cخواهم'])
  })

  test('takes linear time on long hostile input', () => {
    for (const unit of ['`', '<', '@.', '(', '"@', ' ', '\\', 'a.', '#1', '_', '`a`', '\n- ']) {
      expect(escapeLines(unit.repeat(50_000)).length).toBeGreaterThan(0)
    }
  })
})

describe('toCode', () => {
  test('formats names as code, or as text if they could close the code span', () => {
    expect(toCode('docs/@a.md')).toBe('`docs/@a.md`')
    expect(toCode('a`b|<c>.md')).toBe('a&#96;b&#124;&lt;c&gt;.md')
    expectInert(toCode('a\n`x`<script>.md'), 'file name')
    expectInert(toCode('`@bob`|#12'), 'file name')
    expect(toCode(' ')).toBe('')
  })
})
