import { describe, expect, it } from 'vitest'
import { renderMarkdown } from './render-markdown.ts'

const render = (text: string): string => renderMarkdown(text).markup

describe('renderMarkdown', () => {
  it.each([
    ['# One', '<h2>One</h2>'],
    ['## Two ##', '<h3>Two</h3>'],
    ['a\nb', '<p>a<br>b</p>'],
    ['- a\n- b', '<ul><li>a</li><li>b</li></ul>'],
    ['1. a\n2. b', '<ol><li>a</li><li>b</li></ol>'],
    ['- [x] a', '<ul><li><span class="box">☑</span> a</li></ul>'],
    ['> a', '<blockquote><p>a</p></blockquote>'],
    ['---', '<hr>'],
    ['```ts\na < b\n```', '<pre><code>a &lt; b</code></pre>'],
    ['````\n```\n````', '<pre><code>```</code></pre>'],
    ['`` a ` b ``', '<p><code>a ` b</code></p>'],
    ['**a** and *b* and ~~c~~', '<p><strong>a</strong> and <em>b</em> and <s>c</s></p>'],
    ['snake_case_name', '<p>snake_case_name</p>'],
    ['\\*a\\* \\`b\\`', '<p>*a* `b`</p>'],
    ['&lt;b&gt; &amp; &#x27;', "<p>&lt;b&gt; &amp; '</p>"],
    ['<!-- hidden -->', ''],
    ['<b>bold</b>', '<p>&lt;b&gt;bold&lt;/b&gt;</p>'],
    ['[a](/relative)', '<p>a</p>'],
    [
      '![a](https://x.example/i.png)',
      '<p>!<a href="https://x.example/i.png" rel="nofollow noopener noreferrer">a</a></p>',
    ],
    ['a@x.example', '<p>a@x.example</p>'],
    ['a[^1]\n\n[^1]: b c', '<p>a[^1]</p><p>[^1]: b c</p>'],
    ['<details>\na', '<p>&lt;details&gt;<br>a</p>'],
    ['a **b**\n*c*', '<p>a <strong>b</strong><br><em>c</em></p>'],
    [
      '[a](https://x.example/?a=1&b=2)',
      '<p><a href="https://x.example/?a=1&amp;b=2" rel="nofollow noopener noreferrer">a</a></p>',
    ],
    [
      'see https://x.example/a.',
      '<p>see <a href="https://x.example/a" rel="nofollow noopener noreferrer">https://x.example/a</a>.</p>',
    ],
  ])('renders %j', (text, markup) => {
    expect(render(text)).toBe(markup)
  })

  it('nests lists and keeps code inside items', () => {
    expect(render('- a\n  - b\n  - c\n- d')).toBe('<ul><li>a<ul><li>b</li><li>c</li></ul></li><li>d</li></ul>')
    expect(render('1. a\n\n   ```\n   x\n   ```\n2. b')).toContain('<code>x</code></pre></li><li><p>b</p></li>')
  })

  it('renders tables', () => {
    const markup = render('| a | b |\n| --- | :-: |\n| 1 \\| 2 | `x` |\n\nafter')
    expect(markup).toContain('<th>a</th><th>b</th>')
    expect(markup).toContain('<td>1 | 2</td><td><code>x</code></td>')
    expect(markup).toContain('<p>after</p>')
  })

  it('shows text with too many markup characters as plain text', () => {
    expect(render('*<b>* '.repeat(1_000))).toMatch(/^<pre>\*&lt;b&gt;\* /)
  })

  it('renders any text in linear time', () => {
    const long = 65_000
    const texts = [
      '*',
      '**a ',
      '[',
      '![a](',
      '`',
      '` a',
      '<',
      '&#',
      '_a ',
      '~~',
      '> ',
      '- ',
      '|',
      '\\',
      'http://',
      '<details>',
      '<!--',
      '# ',
      '-- ',
    ]
    const started = process.cpuUsage()
    for (const text of texts) {
      render(text.repeat(Math.ceil(long / text.length)))
      render(`${text}\n`.repeat(Math.ceil(long / (text.length + 1))))
      render(text.repeat(300).concat('x').repeat(10))
    }
    // Each text takes a few milliseconds if rendering is linear, and minutes if it is not.
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(20_000)
  })
})
