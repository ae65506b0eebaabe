import { describe, expect, test } from 'vitest'
import { rules } from './rules.ts'
import { openToolHarness } from './test-support/open-tool-harness.ts'
import { converse, rehearse, startRequest } from './test-support/rehearse.ts'
import { site } from './test-support/site.ts'

const text = (files: Map<string, string>, path: string) => files.get(path)
const pagesOf = (files: Map<string, string>) => JSON.parse(files.get('docs.json') ?? '').navigation.groups

describe('replace', () => {
  test('replaces all occurrences in all files with exact counts', () => {
    const { harness, finished, accepted, said, turns } = rehearse('Please replace "Acme CLI" with "Acme Tool".', site)
    expect(accepted).toBe(true)
    expect(text(harness.files, 'index.mdx')).toMatch(/title: Acme Tool\n.*\n\nAcme Tool, the Acme Tool\./)
    expect(text(harness.files, 'guides/install.mdx')).toContain('Get the Acme Tool.')
    expect(text(harness.files, 'guides/use.mdx')).toBe(site['guides/use.mdx'])
    expect(finished).toMatchObject({ outcome: 'changed', title: 'Replace "Acme CLI" with "Acme Tool"' })
    expect(finished.body).toContain('5 occurrences in 3 files')
    expect(finished.body).toContain('No AI was used')
    expect(said[0]).toBe('Step: searching for "Acme CLI".')
    expect(turns).toBe(5)
  })

  test('accepts curly quotes, capitals, a glob and surrounding text', () => {
    const prompt = 'Hello,\n\nREPLACE “Acme CLI” BY “Acme <b>” in `guides/**`, thank you.'
    const { harness, finished } = rehearse(prompt, site)
    expect(text(harness.files, 'guides/install.mdx')).toContain('Get the Acme <b>.')
    expect(text(harness.files, 'index.mdx')).toBe(site['index.mdx'])
    expect(finished.body).not.toContain('<')
  })

  test('ignores "in" without a glob', () => {
    expect(rehearse('replace "Acme CLI" with "A" in the docs', site).finished.body).toContain('in 3 files')
  })

  test('ends as no_change if there is nothing to replace', () => {
    const { harness, finished, accepted } = rehearse('replace "Foo" with "Bar"', site)
    expect(accepted).toBe(true)
    expect(finished).toMatchObject({ outcome: 'no_change', reason: expect.stringContaining('"Foo" found no matches') })
    expect(Object.fromEntries(harness.files)).toEqual(site)
    expect(rehearse('replace "Acme" with "Acme"', site).finished.outcome).toBe('no_change')
  })

  test('counts long lines in the file and reads all search pages', () => {
    const files = { 'a.md': `${'x '.repeat(200)}word word\n`, 'b.md': 'word\nword\nword word\nWord\n' }
    const { harness, finished } = rehearse('replace "word" with "term"', files, { hitsPerPage: 2 })
    expect(text(harness.files, 'a.md')).toBe(`${'x '.repeat(200)}term term\n`)
    expect(text(harness.files, 'b.md')).toBe('term\nterm\nterm term\nWord\n')
    expect(finished.body).toContain('6 occurrences in 2 files')
  })

  test('reports a rejected file and ends as impossible if all files are rejected', () => {
    const some = rehearse('replace "Acme CLI" with "B"', site, { readOnly: 'package.json' })
    expect(some.finished.body).toMatch(/4 occurrences in 2 files[\s\S]*rejected:\n\n- `package.json`/)
    const none = rehearse('replace "Acme CLI" with "B" in *.json', site, { readOnly: 'package.json' })
    expect(none.finished).toMatchObject({ outcome: 'impossible', reason: expect.stringContaining('is protected') })
  })

  test.each([
    ['from the error', {}],
    ['from the file', { curt: true }],
  ])('after a wrong count, reads the number of occurrences %s', (_, options) => {
    const harness = openToolHarness({ 'a.md': 'word\n' }, options)
    const run = harness.run
    harness.run = (tool, input) => {
      const result = run(tool, input)
      if (tool === 'search') harness.files.set('a.md', 'word\nword\n')
      return result
    }
    converse(startRequest('replace "word" with "term"'), harness)
    expect(text(harness.files, 'a.md')).toBe('term\nterm\n')
  })

  test('edits eight files per turn and ends as impossible if too many files match', () => {
    const many = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}.md`, 'word\n']))
    const some = rehearse('replace "word" with "term"', many(80))
    expect(some.finished.body).toContain('80 occurrences in 80 files')
    expect(some.turns).toBeLessThan(30)
    const cut = Object.fromEntries(Object.keys(many(60)).map((path) => [path, `${'x '.repeat(200)}word word\n`]))
    const unsure = rehearse('replace "word" with "term"', cut)
    expect(unsure.finished.body).toContain('120 occurrences in 60 files')
    expect(unsure.turns).toBeLessThan(25)
    const tooMany = rehearse('replace "word" with "term"', many(300))
    expect(tooMany.finished).toMatchObject({ outcome: 'impossible', reason: expect.stringContaining('300 files') })
  })
})

test('reports other spellings when renaming a term everywhere', () => {
  const { harness, finished } = rehearse('rename "Acme CLI" to "Acme Tool" everywhere', site)
  expect(text(harness.files, 'package.json')).toContain('Acme Tool')
  expect(finished.body).toContain('Other spellings of "Acme CLI" occur in 1 line of 1 file and were not changed.')
})

describe('add page', () => {
  const wanted = 'titled "Use a proxy" in group "Guides" with text """\nSet HTTPS_PROXY.\n\n## More\n"""'

  test('creates the page and its navigation entry', () => {
    const { harness, finished, accepted } = rehearse(`add page guides/proxy ${wanted}`, site)
    expect(accepted).toBe(true)
    expect(text(harness.files, 'guides/proxy.mdx')).toBe(
      '---\ntitle: Use a proxy\ndescription: Use a proxy.\n---\n\nSet HTTPS_PROXY.\n\n## More\n',
    )
    expect(pagesOf(harness.files)[1].pages.at(-1)).toBe('guides/proxy')
    expect(text(harness.files, 'docs.json')).toContain('          },\n          "guides/proxy"\n        ]')
    expect(finished.outcome).toBe('changed')
    expect(finished.body).toContain('No AI was used')
  })

  test.each([
    [
      'next to pages in the same folder if no group is given',
      'add page guides/proxy.md titled "P" with text """x"""',
      0,
      'guides/proxy',
    ],
    ['to a new group', 'add page faq titled "FAQ" in group "Help" with text """x"""', 2, 'faq'],
    ['to a group whose name differs in case', 'add page a titled "A" in group "start" with text """x"""', 0, 'a'],
  ])('adds the entry %s', (_, prompt, group, entry) => {
    const { harness } = rehearse(prompt, site)
    expect(pagesOf(harness.files)[group].pages.at(-1)).toBe(entry)
  })

  test('adds the entry to a one-line docs.json in a subfolder', () => {
    const files = { 'docs/docs.json': '{"navigation":{"groups":[{"group":"A","pages":["b"]}]}}\n', 'docs/b.md': 'b\n' }
    const { harness } = rehearse('add page docs/c titled "C" with text """c"""', files)
    expect(harness.files.get('docs/docs.json')).toBe('{"navigation":{"groups":[{"group":"A","pages":["b", "c"]}]}}\n')
  })

  test('reads a docs.json that requires several views', () => {
    const { harness } = rehearse(`add page guides/proxy ${wanted}`, site, { linesPerView: 7 })
    expect(pagesOf(harness.files)[1].pages.at(-1)).toBe('guides/proxy')
  })

  test('creates the page and mentions a missing docs.json', () => {
    const { harness, finished } = rehearse('add page a titled "A" with text """x"""', { 'index.md': 'x\n' })
    expect(harness.files.has('a.mdx')).toBe(true)
    expect(finished.body).toContain('by hand')
  })

  test.each([
    ['add page guides/proxy', 'a title (titled "T") and its text'],
    ['add page guides/proxy titled "Proxy"', 'Missing: its text'],
    ['add page guides/proxy with text """x"""', 'Missing: a title'],
  ])('%s: asks for the missing parts', (prompt, reason) => {
    const { harness, finished, accepted } = rehearse(prompt, site)
    expect(accepted).toBe(true)
    expect(finished).toMatchObject({ outcome: 'needs_input', reason: expect.stringContaining(reason) })
    expect(Object.fromEntries(harness.files)).toEqual(site)
  })

  test('ends as impossible if the page exists', () => {
    const { finished } = rehearse('add page guides/use titled "U" with text """x"""', site)
    expect(finished).toMatchObject({ outcome: 'impossible', reason: expect.stringContaining('exists (4 lines)') })
  })
})

describe('move page', () => {
  test.each(['move page guides/install to start/setup', 'Rename page `guides/install.mdx` to /start/setup.mdx.'])(
    'moves the page and corrects links: %s',
    (prompt) => {
      const { harness, finished, accepted } = rehearse(prompt, site)
      expect(accepted).toBe(true)
      expect(harness.files.has('guides/install.mdx')).toBe(false)
      expect(text(harness.files, 'start/setup.mdx')).toBe(
        '# Install\n\nGet the Acme CLI. Then [use it](../guides/use.mdx) or go [home](../index).\n',
      )
      expect(text(harness.files, 'index.mdx')).toContain('[install](/start/setup#linux)')
      expect(text(harness.files, 'guides/use.mdx')).toContain('href="/start/setup"')
      expect(text(harness.files, 'guides/legacy.mdx')).toContain('[install](../start/setup.mdx)')
      expect(pagesOf(harness.files)[0].pages).toEqual(['index', 'start/setup'])
      expect(JSON.parse(text(harness.files, 'docs.json') ?? '').redirects).toEqual([
        { source: '/old', destination: '/start/setup' },
        { source: '/guides/install', destination: '/start/setup' },
      ])
      expect(finished.body).toContain('Corrected 4 links')
    },
  )

  test('ends as impossible if the target exists, and asks for the page if it does not exist', () => {
    expect(rehearse('move page index to guides/use', site).finished).toMatchObject({
      outcome: 'impossible',
      reason: expect.stringContaining('guides/use.mdx exists'),
    })
    expect(rehearse('move page nowhere to guides/x', site).finished).toMatchObject({
      outcome: 'needs_input',
      reason: expect.stringContaining('no page nowhere.mdx or nowhere.md'),
    })
    expect(rehearse('move page index to /index.mdx', site).finished.outcome).toBe('no_change')
  })
})

describe('delete page', () => {
  test('removes the navigation entry and the links', () => {
    const { harness, finished, accepted } = rehearse('delete page guides/install', site)
    expect(accepted).toBe(true)
    expect(harness.files.has('guides/install.mdx')).toBe(false)
    expect(pagesOf(harness.files)[0].pages).toEqual(['index'])
    expect(text(harness.files, 'index.mdx')).toContain('See install or [use](guides/use).')
    expect(text(harness.files, 'guides/legacy.mdx')).toBe('# Legacy\n\nBack to install.')
    expect(finished).toMatchObject({ outcome: 'changed', title: 'Delete page guides/install' })
  })

  test.each([
    ['index', 0, ['guides/install']],
    ['guides/legacy', 1, ['guides/use', { group: 'More', pages: [] }]],
  ])('removes the first or only entry: %s', (page, group, pages) => {
    const { harness } = rehearse(`Remove the page ${page}`, site)
    expect(pagesOf(harness.files)[group].pages).toEqual(pages)
  })
})

describe('fix broken links', () => {
  const broken = {
    ...site,
    'docs.json': site['docs.json'].replace('guides/use', 'guide/use'),
    'a/twin.md': 'x\n',
    'b/twin.md': 'x\n',
    'index.mdx': '[a](/install) [b](./gone) [c](b/c/twin) [a](/install) [u](guides/use)\n',
  }
  const checkOutput = [
    'Your changes introduce no issues.',
    '5 issues existed before your changes. Do not fix them unless the task asks for it.',
    'index.mdx:1: [links] The link "/install" points to a page or file that does not exist.',
    'index.mdx:1: [links] Broken link `./gone`: no such page',
    'index.mdx:1: [links] broken link (b/c/twin)',
    'guides/use.mdx:3: [anchors] The link "/guides/install#x" points to the anchor "x", but guides/install.mdx has no heading or id with that name.',
    'docs.json:9: [navigation] The navigation contains the page "guide/use", which does not exist.',
  ].join('\n')

  test('corrects links with one matching page and reports the others', () => {
    const { harness, finished, accepted } = rehearse('Please fix all the broken links', broken, { checkOutput })
    expect(accepted).toBe(true)
    expect(text(harness.files, 'index.mdx')).toBe(
      '[a](/guides/install) [b](./gone) [c](b/c/twin) [a](/guides/install) [u](guides/use)\n',
    )
    expect(pagesOf(harness.files)[1].pages[0]).toBe('guides/use')
    expect(finished.body).toMatch(/Corrected 2 broken links[\s\S]*Not corrected,[\s\S]*"\.\/gone"[\s\S]*"b\/c\/twin"/)
  })

  test('ends as no_change if no links are broken and as impossible if none can be fixed', () => {
    expect(rehearse('fix broken links', site).finished.outcome).toBe('no_change')
    const only = 'index.mdx:1: [links] Broken link `./gone`: no such page'
    expect(rehearse('fix broken links', broken, { checkOutput: only }).finished).toMatchObject({
      outcome: 'impossible',
      reason: expect.stringContaining('./gone'),
    })
  })
})

test.each([
  ['with a final newline', 'guides/use', '# Use\n\n<Card href="/guides/install">Install</Card>\n', '\n'],
  ['without a final newline', 'guides/legacy.mdx', '# Legacy', '\n'],
])('appends to a page %s', (_, page, start, gap) => {
  const { harness, accepted } = rehearse(`append to ${page}: """\n## New\n\nText.\n"""`, site)
  expect(accepted).toBe(true)
  const path = page.endsWith('.mdx') ? page : `${page}.mdx`
  expect(text(harness.files, path)?.startsWith(start)).toBe(true)
  expect(text(harness.files, path)?.endsWith(`.${gap}\n## New\n\nText.\n`)).toBe(true)
})

test.each(rules.map((rule) => [rule.usage, rule] as const))('only %s matches its example', (_, rule) => {
  expect(rule.match(rule.example)?.position).toBe(0)
  expect(rules.filter((other) => other.match(rule.example)).length).toBe(1)
})

test("reports the move tool's rewrites without further edits", () => {
  const harness = openToolHarness(site)
  const run = harness.run
  const report = [
    'Moved guides/install.mdx to start/setup.mdx.',
    'Rewrote 3 links in 2 files: index.mdx (2), guides/use.mdx (1).',
    'Renamed 1 navigation entry in docs.json.',
    'Added a redirect in docs.json: /guides/install to /start/setup.',
    'Not rewritten. Review these references yourself:',
    'notes.mdx:3: ../install (a link of this form cannot point to the new path)',
  ].join('\n')
  harness.run = (tool, input) => {
    const result = run(tool, input)
    return tool === 'move' ? { ...result, text: report } : result
  }
  const { finished, accepted } = converse(startRequest('move page guides/install to start/setup'), harness)
  expect(accepted).toBe(true)
  expect(finished.body).toContain('Corrected 3 links.')
  expect(finished.body).toContain('Added a redirect in docs.json')
  expect(finished.body).toContain('notes.mdx:3')
  expect(harness.calls.filter((call) => call.startsWith('edit'))).toEqual([])
})
