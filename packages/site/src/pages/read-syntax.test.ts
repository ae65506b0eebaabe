import { describe, expect, it } from 'vitest'
import type { Dialect } from './dialect.ts'
import { readSyntax } from './read-syntax.ts'

const check = (text: string, dialect: Dialect = 'mdx') =>
  readSyntax(text, dialect).problems.map(({ line, message }) => `${line} ${message}`)

describe('valid MDX', () => {
  it.each<[name: string, text: string]>([
    [
      'front matter, imports, expressions',
      "---\ntitle: A\n---\n\nimport X from './x'\n\n# {1 + 1}\n\n<X a={1} {...{}} />\n",
    ],
    ['nested components', '<Steps>\n  <Step title="One">\n    Text **bold** <b>x</b>\n  </Step>\n</Steps>\n'],
    ['tags in lists and tables', '- <b>one</b>\n- two <i>x</i>\n\n| a | b |\n| - | - |\n| <b>x</b> | y |\n'],
    ['inline and block math', 'Euler $e^{i\\pi}$\n\n$$\n\\frac{a}{b}\n$$\n'],
    ['any text in code', '`<a {`\n\n```js\nconst a = <T,>() => {}\n```\n'],
    ['escapes', 'a \\< b and \\{c}\n'],
    ['fragments and members', '<>\n  <Card.Title>x</Card.Title>\n</>\n'],
    ['comments', '{/* hidden */}\n\ntext\n'],
    ['footnotes, quotes, tasks', '> quote <b>x</b>\n\n- [ ] task[^1]\n\n[^1]: note <i>x</i>\n'],
    ['empty', ''],
  ])('accepts %s', (_, text) => {
    expect(check(text)).toEqual([])
  })
})

describe('invalid MDX', () => {
  it.each<[name: string, text: string, message: RegExp]>([
    ['an unclosed tag', '# A\n\n<Note>\n\ntext\n', /^3 .*<Note> is not closed before the end of the page/],
    ['an unclosed tag in a paragraph', 'a <b>c\n\nd</b>\n', /^1 .*<b> is not closed before the end of the paragraph/],
    ['tags closed in the wrong order', '<A>\n<B>\n</A>\n</B>\n', /^3 .*<\/A> does not match <B> from line 2/],
    ['a closing tag without an opening tag', 'text\n\n</Note>\n', /^3 .*<\/Note> has no opening tag/],
    ['an unclosed tag in a list item', '- <b>one\n- two</b>\n', /^1 .*<b> is not closed/],
    ['a void HTML tag', 'a <br> b\n', /^1 .*<br> is not closed/],
    ['a less-than sign', 'a < 3 and b <3\n', /^1 .*write "<" as "&lt;"/],
    ['a brace', 'a {b c} d\n', /^1 .*write "\{" as/],
    ['an HTML comment', 'a\n\n<!-- x -->\n', /^3 .*/],
    ['an incomplete import', 'import x from\n\n# A\n', /^3 .*import\/exports with acorn\.$/],
  ])('rejects %s', (_, text, message) => {
    const found = check(text)
    expect(found).toHaveLength(1)
    expect(found[0]).toMatch(message)
  })
})

describe('dialects', () => {
  it('plain Markdown has no syntax errors', () => {
    expect(check('a <br> {b <!-- c -->', 'plain')).toEqual([])
  })
  it('an error counts only if the page has one with and without formulas', () => {
    const text = 'Costs <b>$</b> or $5 more.\n'
    expect(check(text, 'mdx+math')).toEqual([])
    expect(check('Euler $e^{i\\pi}$\n', 'mdx')).toEqual([])
    expect(check(`${text}\n<Tabs>\n`, 'mdx+math')).toHaveLength(1)
  })
  it('Docusaurus allows comments, heading ids and directives', () => {
    const text = '<!-- note\nover lines -->\n\n## Title {#my-id}\n\n:::note[Hint]\n\nText <b>x</b>\n\n:::\n'
    expect(check(text, 'mdx-comments')).toEqual([])
    expect(check(text, 'mdx')).toHaveLength(1)
    expect(check(`${text}\n<Tabs>\n`, 'mdx-comments')[0]).toMatch(/^12 .*<Tabs> is not closed/)
  })
})

describe('intricate pages', () => {
  it.each<[name: string, dialect: Dialect, text: string]>([
    ['quoted braces', 'mdx', '- <i style={{color: \'#f0f8ff\'}} /> <b a={{c: "}"}} />\n'.repeat(300)],
    ['braces in code', 'mdx', `\`\`\`js\n${"f({a: '{'})\n".repeat(2_000)}\`\`\`\n`],
    ['100 elements in an expression', 'mdx', `{${'<a>{'.repeat(100)}1${'}</a>'.repeat(100)}}\n`],
    ['marks in code', 'plain', `\`\`\`json\n${'[[":|"]]\n'.repeat(4_000)}\`\`\`\n`],
    ['marks in a comment', 'plain', `<!--\n${'[[":|"]]\n'.repeat(4_000)}-->\n`],
  ])('accepts %s', (_, dialect, text) => {
    expect(readSyntax(text, dialect)).toMatchObject({ problems: [], unread: null })
  })
  it.each<[name: string, dialect: Dialect, text: string, reason: RegExp]>([
    ['block quotes', 'plain', '>'.repeat(1_000), /nests too many/],
    ['an indent', 'mdx', `${' '.repeat(2_000)}a`, /indented too far/],
    ['brackets', 'plain', ']'.repeat(30_000), /too many brackets/],
    ['brackets after code', 'plain', `<!--\n\`\`\`\n-->\n${']'.repeat(30_000)}`, /too many brackets/],
    ['brackets over many lines', 'plain', ']]]\n'.repeat(10_000), /too many brackets/],
    ['an expression that is parsed at every brace', 'mdx', `{${'"}"+'.repeat(3_000)}`, /expressions are too long/],
    ['an export that is parsed at every line', 'mdx', `export const a = [\n\n${'1,\n\n'.repeat(3_000)}`, /too long/],
    ['nested braces', 'mdx', '{a:'.repeat(20_000) + '}'.repeat(20_000), /expressions are/],
    ['nested brackets', 'mdx', `{${'['.repeat(50_000)}${']'.repeat(50_000)}}`, /nested too deeply/],
    ['300 brackets', 'mdx', `{${'['.repeat(300)}${']'.repeat(300)}}`, /nested too deeply/],
    ['300 elements in an expression', 'mdx', `{${'<a>'.repeat(300)}${'</a>'.repeat(300)}}`, /nested too deeply/],
  ])('does not parse %s', (_, dialect, text, reason) => {
    expect(readSyntax(text, dialect)).toEqual({ problems: [], page: null, unread: expect.stringMatching(reason) })
  })
})
