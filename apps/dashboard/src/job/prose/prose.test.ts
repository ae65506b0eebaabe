import { createTwoFilesPatch } from 'diff'
import { describe, expect, test } from 'vitest'
import { parseFilePatch } from '../patch/file-patch.ts'
import { buildProse, isProse } from './build-prose.ts'
import { diffInline } from './diff-inline.ts'
import type { InlineRun, ProseBlock } from './prose-block.ts'
import { splitBlocks } from './split-blocks.ts'
import { splitInline } from './split-inline.ts'
import { toProseBlock } from './to-prose-block.ts'

/** Formats runs with marks: [-removed-], {+inserted+}, {the same was /link}. */
const showRuns = (runs: readonly InlineRun[]): string =>
  runs
    .map(({ change, text, marks, href, wasHref }) => {
      const set = marks.length > 0 ? `<${marks.join(' ')}${href === null ? '' : ` ${href}`}>${text}</>` : text
      if (wasHref !== undefined) return `{${set} was ${wasHref}}`
      return change === 'removed' ? `[-${set}-]` : change === 'inserted' ? `{+${set}+}` : set
    })
    .join('')

function show(block: ProseBlock): string {
  const sign = block.change === 'inserted' ? '+ ' : block.change === 'removed' ? '- ' : ''
  switch (block.kind) {
    case 'text': {
      const { shape } = block
      const level = shape.tag === 'heading' ? shape.level : shape.tag === 'paragraph' ? '' : shape.depth
      return `${sign}${shape.tag}${level}: ${showRuns(block.runs)}${block.was === null ? '' : ` (was ${block.was})`}`
    }
    case 'lines': {
      const signs = { same: ' ', inserted: '+', removed: '-' }
      const lines = block.lines.map(({ change, spans }) => signs[change] + spans.map((span) => span.text).join(''))
      return `${sign}${block.shape}: ${lines.join('|')}`
    }
    case 'table':
      return `${sign}table: ${block.rows.map(({ cells }) => cells.map(showRuns).join(' | ')).join(' // ')}`
    case 'rule':
      return `${sign}rule`
  }
}

/** Formats the blocks of both versions of a page. */
function prose(before: string, after: string): string[] {
  const patch = createTwoFilesPatch('a/a.mdx', 'b/a.mdx', before, after, undefined, undefined, { context: 3 })
  const { lines } = parseFilePatch({ path: 'a.mdx', status: 'modified', patch, omitted: null }, after)
  return (buildProse(lines) ?? []).map(toProseBlock).map(show)
}

describe('text', () => {
  test('marks removed and inserted words within their formatting', () => {
    expect(prose('Use the **old** flag with `--json` now.\n', 'Use the **new** flag with `--ndjson` now.\n')).toEqual([
      'paragraph: Use the [-<strong>old</>-]{+<strong>new</>+} flag with [-<code>--json</>-]{+<code>--ndjson</>+} now.',
    ])
  })

  test('marks a change that affects only formatting or a link', () => {
    expect(prose('See [the guide](/a).\n', 'See [the guide](/b).\n')).toEqual([
      'paragraph: See {<link /b>the guide</> was /a}.',
    ])
    expect(prose('- [Calendars](/a)\n- Tides\n', '- Calendars\n- [Tides](/b)\n')).toEqual([
      'item0: {Calendars was /a}',
      'item0: {<link /b>Tides</> was null}',
    ])
    expect(prose('See [the guide](/a).\n', 'See the page.\n')).toEqual([
      'paragraph: See {the  was /a}[-<link /a>guide</>-]{+page+}.',
    ])
    expect(prose('It is fast and good to have here.\n', 'It is *fast* and good to have here.\n')).toEqual([
      'paragraph: It is [-fast-]{+<emphasis>fast</>+} and good to have here.',
    ])
  })

  test('does not merge two sentences that share only a few short words', () => {
    const runs = diffInline('Cats of the neighbourhood', 'Incomprehensibilities of counting the stars')
    expect(showRuns(runs)).toBe('[-Cats of the neighbourhood-]{+Incomprehensibilities of counting the stars+}')
  })

  test('parses inline formatting according to CommonMark', () => {
    const show = (text: string) => showRuns(diffInline(text, text))
    expect(show('a * b* c, snake_case_name, 2*3*4, \\*no\\*, **a `*` b**')).toBe(
      'a * b* c, snake_case_name, 2<emphasis>3</>4, *no*, <strong>a </><code strong>*</><strong> b</>',
    )
    expect(show('*a **b** c* ~~d~~ ``x ` y`` ![alt](u.png) https://a.example/b.')).toBe(
      '<emphasis>a </><emphasis strong>b</><emphasis> c</> <strike>d</> <code>x ` y</> <image u.png>alt</> ' +
        '<link https://a.example/b>https://a.example/b</>.',
    )
  })

  test('treats a rewrapped paragraph as unchanged', () => {
    expect(prose('one two\nthree four\n', 'one\ntwo three\nfour\n')).toEqual(['paragraph: one two three four'])
  })

  test('groups adjacent changed words', () => {
    expect(prose('Please do read the old manual first.\n', 'Please do study a new guide first.\n')).toEqual([
      'paragraph: Please do [-read the old manual-]{+study a new guide+} first.',
    ])
  })

  test('marks paragraphs with no words in common as removed and inserted', () => {
    expect(prose('Alpha beta gamma.\n', 'Something else entirely, and longer!\n')).toEqual([
      '- paragraph: [-Alpha beta gamma.-]',
      '+ paragraph: {+Something else entirely, and longer!+}',
    ])
  })
})

describe('blocks', () => {
  test('preserves headings, lists, quotes, rules and code', () => {
    const before =
      '# Title\n\n- one\n- two\n  - deep\n\n> quoted words stay\n\n---\n\n```js\na = 1\nb = 2\n```\n\nUnder\n=====\n'
    const after = before.replace('two', 'two more').replace('b = 2', 'b = 3').replace('# Title', '# New Title')
    expect(prose(before, after)).toEqual([
      'heading1: {+New +}Title',
      'item0: one',
      'item0: two{+ more+}',
      'item1: deep',
      'quote1: quoted words stay',
      'rule',
      'code:  a = 1|-b = 2|+b = 3',
      'heading1: Under',
    ])
  })

  test('parses blocks within lists and quotes according to CommonMark', () => {
    const before =
      '1. one\n   1. nested\n\n   more of one\n\n   ```sh\n   run it now\n   ```\n\n> - quoted item\n>\n> last words\n'
    expect(prose(before, before.replace('run', 'walk'))).toEqual([
      'item0: one',
      'item1: nested',
      'paragraph: more of one',
      'code: -   run it now|+   walk it now',
      'item0: quoted item',
      'quote1: last words',
    ])
  })

  test('tables and code keep their form if only a later part changes', () => {
    const rows = Array.from({ length: 12 }, (_, at) => `| ${at} | \`x\` |\n`).join('')
    const table = `| Flag | Use |\n|---|---|\n${rows}`
    expect(prose(table, table.replace('| 11', '| eleven'))[0]).toMatch(
      /^table: Flag \| Use \/\/ 0 .* \/\/ \[-11-\]\{\+eleven\+\}/,
    )
    const code = `\`\`\`\n${Array.from({ length: 12 }, (_, at) => `# line ${at}`).join('\n')}\n\`\`\`\n\nAfter it.\n`
    expect(prose(code, code.replace('line 11', 'line eleven').replace('After', 'Behind'))).toEqual([
      expect.stringMatching(/^code: {2}# line 0\|.*-# line 11\|\+# line eleven$/),
      'paragraph: [-After-]{+Behind+} it.',
    ])
  })

  test('a carriage return or byte order mark within a line does not shift the following lines', () => {
    const before = '\uFEFF# Title\n\none\rtwo\n\n```\nsome code\n```\n'
    expect(prose(before, before.replace('code', 'line'))).toEqual([
      'heading1: Title',
      'paragraph: one two',
      'code: -some code|+some line',
    ])
  })

  test('shows inserted and removed blocks in document order', () => {
    expect(prose('A first.\n\nB second.\n\nC third.\n', 'A first.\n\nX new words.\n\nC third.\n\nD fourth.\n')).toEqual(
      [
        'paragraph: A first.',
        '- paragraph: [-B second.-]',
        '+ paragraph: {+X new words.+}',
        'paragraph: C third.',
        '+ paragraph: {+D fourth.+}',
      ],
    )
  })

  test('shows the previous type of a block whose type changed', () => {
    expect(prose('## Install the tool\n', '### Install the tool\n')).toEqual([
      'heading3: Install the tool (was heading 2)',
    ])
    expect(prose('Run the installer first\n', '- Run the installer first\n')).toEqual([
      'item0: Run the installer first (was paragraph)',
    ])
    expect(prose('- [ ] ship it today\n', '- [x] ship it today\n')).toEqual(['item0: ship it today (was unchecked)'])
  })

  test('compares tables cell by cell, including inserted rows and columns', () => {
    const table = '| Flag | Use |\n|---|---|\n| `-a` | all of it |\n| `-b` | some \\| part |\n'
    expect(
      prose(table, table.replace('all of it', 'all of them').replace('| `-b`', '| `-c` | none |\n| `-b`')),
    ).toEqual([
      'table: Flag | Use // <code>-a</> | all of [-it-]{+them+} // {+<code>-c</>+} | {+none+} // <code>-b</> | some | part',
    ])
    expect(prose('|A|B|\n|-|-|\n|1|2|\n', '|A|N|B|\n|-|-|-|\n|1|9|2|\n')).toEqual([
      'table: A | {+N+} | B // 1 | {+9+} | 2',
    ])
  })

  test('shows front matter, tags, imports, directives and comments line by line', () => {
    const before =
      '---\ntitle: Old\n---\n\nimport A from "./a"\n\n<Note kind="x">\n  Old words here.\n</Note>\n\n:::tip\nhi\n:::\n\n{/* c */}\n'
    expect(prose(before, before.replace('title: Old', 'title: New').replace('Old words', 'New words'))).toEqual([
      'matter: -title: Old|+title: New',
      'literal:  import A from "./a"',
      'tag:  Note kind="x"',
      'paragraph: [-Old-]{+New+} words here.',
      'tag:  ',
      'tag:  tip',
      'paragraph: hi',
      'tag:  ',
      'literal:  {/* c */}',
    ])
  })
})

test('boxes the content of components that are closed', () => {
  const page =
    '<Steps>\n  <Step title="One">\n    ### First\n  </Step>\n  <Icon name="x" />\n</Steps>\n\n<br>\n\nAfter.\n\n</Tab>\n'
  expect(
    splitBlocks(page.split('\n')).map((block) => [
      block.boxes ?? 0,
      block.kind === 'lines' ? block.lines.join() : block.kind,
    ]),
  ).toEqual([
    [1, 'Steps'],
    [2, 'Step title="One"'],
    [2, 'text'],
    [2, ''],
    [2, 'Icon name="x"'],
    [1, ''],
    [0, '<br>'],
    [0, 'text'],
    [0, '</Tab>'],
  ])
  expect(prose('<Note>\nOld words.\n</Note>\n', '<Warning>\nOld words.\n</Warning>\n')).toEqual([
    '- tag: -Note',
    '+ tag: +Warning',
    'paragraph: Old words.',
    'tag:  ',
  ])
})

describe('untrusted input', () => {
  test('shows markup as text', () => {
    const tokens = splitInline('<img src=x onerror=alert(1)> &lt;b&gt; <script>x</script> ![a](javascript:1) \\<i>')
    expect(tokens.map((token) => token.text).join('')).toBe('<img src=x onerror=alert(1)> <b> <script>x</script> a <i>')
    expect(prose('<script>alert(1)</script>\n', '<script>alert(2)</script>\n')).toEqual([
      'literal: -<script>alert(1)</script>|+<script>alert(2)</script>',
    ])
  })

  test('parses pathological input in bounded time', () => {
    const nasty = [
      '[',
      '*',
      '`',
      '<',
      '![',
      '[a](',
      '> ',
      '- ',
      '|',
      '_a',
      '**a',
      '{',
      '&',
      '~~',
      '\\',
      '#',
      ': ',
      '-|',
      '` `` ',
      'h',
      '1. ',
      '*a_ ',
      'a**b_',
      '- \n  ',
      '<a\n',
      'a@',
      'www.',
      '| a |\n|-|\n',
    ]
    const start = process.cpuUsage()
    for (const sign of nasty) {
      const text = sign.repeat(Math.floor(4_000 / sign.length))
      prose(`${text}\n`, `${text} x\n`)
      prose(`${`${sign}\n`.repeat(150)}\n`, `${`${sign}x\n`.repeat(150)}\n`)
    }
    expect(process.cpuUsage(start).user / 1_000).toBeLessThan(30_000)
  })

  test('treats only Markdown files as prose', () => {
    expect(['a.md', 'b.MDX', 'c.markdown', 'd.json', 'md', 'e.md.txt'].map(isProse)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
  })
})
