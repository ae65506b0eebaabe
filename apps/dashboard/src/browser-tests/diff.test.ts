import { expectAccessible, expectNoSideScroll, themes } from '@corrigenda/testkit'
import { createTwoFilesPatch } from 'diff'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endJobWith, toAddedFile } from './test-support/end-job-with.ts'
import { openDashboard, type TestDashboard } from './test-support/open-dashboard.ts'

let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await openDashboard({ idle: true })
})
afterAll(() => dashboard?.close())

const LINES = 5_000
const WORDS = 'The quick **brown** fox `jumps` over the [lazy](https://example.com/dog) dog and goes on for a while.'
/** Alternating headings, lists and paragraphs. */
const DOCUMENT = Array.from({ length: LINES }, (_, i) =>
  i % 12 === 0
    ? `## Section ${i}`
    : i % 12 === 1 || i % 12 === 6
      ? ''
      : i % 12 < 6
        ? `- item ${i} ${WORDS}`
        : `${WORDS} ${i}`,
)

const MEASURE = `
  window.tasks = []
  new PerformanceObserver((list) => window.tasks.push(...list.getEntries().map((entry) => Math.round(entry.duration))))
    .observe({ type: 'longtask' })
`

test.each([
  ['the rendered view', 'Rendered', 'docs/long.md'],
  ['the source view', 'Source', 'docs/long.json'],
  ['the split view', 'Split', 'docs/long.md'],
])('scrolls smoothly through 5,000 lines in %s', async (_name, view, path) => {
  const job = await dashboard.createJob('Write a long page.')
  await endJobWith(dashboard.database, job.id, { files: [toAddedFile(path, DOCUMENT), toAddedFile('b.md', ['# B'])] })
  const { page, expectClean, close } = await dashboard.openPage(`/projects/${dashboard.projectId}/jobs/${job.id}`)
  // Long files are initially collapsed, and other files are expanded.
  const long = page.getByTestId('diff-file').filter({ hasText: path }).locator('[aria-expanded]')
  await expect.poll(() => long.getAttribute('aria-expanded')).toBe('false')
  await page.getByTestId('diff').getByText('B', { exact: true }).waitFor()
  await page.getByLabel(view, { exact: true }).check()
  await page.evaluate(MEASURE)
  const cpu = await page.context().newCDPSession(page)
  await cpu.send('Performance.enable', { timeDomain: 'threadTicks' })
  /**
   * CPU time of the page's main thread in ms. Unlike task durations, it is not affected by other
   * load on the machine.
   */
  const readWork = async () => {
    const { metrics } = await cpu.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1000
  }
  await long.click()
  await page.getByTestId('diff').getByText('Section 0').first().waitFor()
  const opening = (await page.evaluate('window.tasks.splice(0)')) as number[]
  let nodes = 0
  const height = (await page.evaluate('document.documentElement.scrollHeight')) as number
  expect(height).toBeGreaterThan(40_000)
  const start = Date.now()
  const works: number[] = []
  let worked = await readWork()
  for (let top = 0; top < height && works.length < 60; top += Math.max(600, height / 60)) {
    await page.evaluate(`new Promise((done) => {
      window.scrollTo(0, ${top})
      requestAnimationFrame(() => requestAnimationFrame(done))
    })`)
    const now = await readWork()
    works.push(Math.round(now - worked))
    nodes = Math.max(nodes, (await page.evaluate('document.querySelectorAll("*").length')) as number)
    worked = await readWork()
  }
  const ms = Date.now() - start
  const tasks = (await page.evaluate('window.tasks')) as number[]
  console.log(
    `${view}: ${LINES} lines, at most ${nodes} DOM nodes, long tasks on opening (ms): ${opening.join(', ') || 'none'}; ` +
      `${works.length} jumps in ${ms} ms, at most ${Math.max(...works)} ms of work each, long tasks (ms): ${tasks.join(', ') || 'none'}`,
  )
  expect(nodes).toBeLessThan(3_000)
  // The CPU time of a jump is an upper bound on the length of its tasks.
  expect(Math.max(...works)).toBeLessThan(200)
  // The last line is rendered.
  await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)')
  await page
    .getByTestId('diff')
    .getByText(`${LINES - 1}`)
    .first()
    .waitFor()
  // Clicking a file in the tree scrolls to it. The split view folds the tree.
  if (view === 'Split') await page.getByText(/^Files \(/).click()
  await page.getByRole('navigation', { name: 'Changed files' }).getByRole('button', { name: /^long/ }).click()
  await page.getByTestId('diff').getByText('Section 0').first().waitFor()
  expectClean()
  await close()
})

test('shows moves, mode changes, binary files, unusual names and missing newlines at the end of a file', async () => {
  const job = await dashboard.createJob('Do a bit of everything.')
  const file = { status: 'modified', additions: 1, deletions: 1, omitted: null } as const
  await endJobWith(dashboard.database, job.id, {
    files: [
      {
        ...file,
        path: 'a.md',
        patch: '--- a/a.md\n+++ b/a.md\n@@ -1 +1 @@\n-old words here\n\\ No newline at end of file\n+new words here\n',
      },
      {
        ...file,
        path: 'new "ä".md',
        status: 'renamed',
        previousPath: 'old.md',
        patch:
          'diff --git a/old.md "b/new \\"\\303\\244\\".md"\nsimilarity index 90%\nrename from old.md\nrename to "new \\"\\303\\244\\".md"\n',
      },
      { ...file, path: 'run.sh', patch: 'diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n' },
      { ...file, path: 'b.png', patch: null, omitted: 'binary', additions: 0, deletions: 0 },
      { ...file, path: 'c.md', patch: 'nonsense' },
    ],
    texts: [
      { path: 'a.md', text: 'new words here\n' },
      { path: 'new "ä".md', text: 'moved words\n\nand\n\nmore\n' },
    ],
  })
  const { page, expectClean, close } = await dashboard.openPage(`/projects/${dashboard.projectId}/jobs/${job.id}`)
  const diff = page.getByTestId('diff')
  await diff.getByText('old.md →').waitFor()
  await diff.getByText('File mode changed from 100644 to 100755.').waitFor()
  await diff.getByText('The file is not text').waitFor()
  expect(await diff.locator('del').first().textContent()).toBe('old')
  // A file that was only moved has no changes, and its lines can be shown.
  await diff.getByRole('button', { name: 'Show', exact: true }).click()
  await diff.getByText('moved words').waitFor()
  await page.getByLabel('Source').check()
  await diff.getByText('(no newline at end of file)').waitFor()
  expect(await page.getByTestId('diff-file').allTextContents()).toHaveLength(5)
  expectClean()
  await close()
})

const BEFORE = `---
title: Install
---

import { Note } from '/snippets/note.mdx'

# Install the CLI

Acme runs on **Linux** and macOS. Get [our downloads](https://acme.example/downloads) and \`acme doctor\`.

<Note kind="a">
  You need Node 18, see [the guide](/guides/node).
</Note>

- [ ] Add the folder to the path
- An item that goes away

| Flag | Default | Meaning | Since | Until | Who | Why | Where |
|------|---------|---------|-------|-------|-----|-----|-------|
| \`--json\` | off | Prints JSON | 1.0 | forever | everybody | programs | anywhere |

> Releases are signed.

\`\`\`bash
acme doctor
\`\`\`

![First screen](https://elsewhere.example/first.png)

See [the list](https://acme.example/list) of flags.

The last words of this page.
`

test('the rendered view marks removed and inserted words, is accessible and fits narrow screens', async () => {
  const after = BEFORE.replace('title: Install', 'title: Set up')
    .replace('and macOS', 'and *Windows*')
    .replace('our downloads](https://acme.example/downloads)', 'the releases](https://acme.example/releases)')
    .replaceAll('acme doctor', 'acme check')
    .replace('kind="a"', 'kind="b"')
    .replace('Node 18', 'Node 20')
    .replace('[ ]', '[x]')
    .replace('- An item that goes away\n', '')
    .replace('Prints JSON', 'Prints one document')
    .replace('are signed', 'have been signed')
    .replace('First screen', 'Start')
    .replace('[the list](https://acme.example/list)', 'the list')
    .replace('The last words of this page.', '## More\n\nEntirely new things.')
  const job = await dashboard.createJob('Mark it.')
  const patch = createTwoFilesPatch('a/a.mdx', 'b/a.mdx', BEFORE, after)
  const file = { path: 'a.mdx', status: 'modified', additions: 12, deletions: 12, omitted: null, patch } as const
  await endJobWith(dashboard.database, job.id, { files: [file], texts: [{ path: 'a.mdx', text: after }] })
  const at = `/projects/${dashboard.projectId}/jobs/${job.id}`
  const { page, expectClean, close } = await dashboard.openPage(at, { height: 2400 })
  const diff = page.getByTestId('diff')
  await diff.waitFor()
  const read = (tag: string) => diff.locator(tag).allTextContents()
  expect((await read('del')).map((text) => text.trim())).toEqual([
    'title: Install',
    'macOS',
    'our',
    'downloads',
    'doctor',
    'Note kind="a"',
    '18',
    'An item that goes away',
    'JSON',
    'are',
    'acme doctor',
    'Image: First screen',
    'The last words of this page.',
  ])
  expect((await read('ins')).map((text) => text.trim())).toEqual([
    'title: Set up',
    'Windows',
    'the',
    'releases',
    'check',
    'Note kind="b"',
    '20',
    'one document',
    'have been',
    'acme check',
    'Image: Start',
    'More',
    'Entirely new things.',
  ])
  expect(await diff.locator('img, h1, h2, script').count()).toBe(0)
  expect(await diff.getByText('was unchecked').count()).toBe(1)
  // Inline code with a changed word is one box.
  const code = diff.locator('p code').filter({ hasText: 'acme' })
  expect(await code.allTextContents()).toEqual(['acme doctorcheck'])
  // The words of a removed link stay. Screen readers and the tooltip get the link.
  const unlinked = diff.locator('.prose-link-change[data-kind="removed"]')
  const note = 'link removed: https://acme.example/list'
  expect(await unlinked.allTextContents()).toEqual([`the list (${note})`])
  expect(await unlinked.getAttribute('title')).toBe(note)
  expect(await diff.getByRole('link', { name: 'the list' }).count()).toBe(0)
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme })
    await expectAccessible(page)
  }
  await page.setViewportSize({ width: 360, height: 2400 })
  await expectNoSideScroll(page)
  expectClean()
  await close()
})

test('shows more of a page around its changes, as blocks and as lines, and folds long tables', async () => {
  const rows = Array.from({ length: 60 }, (_, at) => `| flag ${at} | use ${at} |`)
  const before = ['# Flags', '', '| Name | Use |', '| --- | --- |', ...rows, '']
  for (let at = 0; at < 60; at += 1) before.push(`Paragraph ${at}.`, '')
  const after = before.map((line) =>
    line === 'Paragraph 50.' ? 'Paragraph fifty.' : line.replace('| use 40 |', '| usage 40 |'),
  )
  const [old, now] = [before.join('\n'), after.join('\n')]
  const job = await dashboard.createJob('Change two places.')
  const patch = createTwoFilesPatch('a/a.md', 'b/a.md', old, now, undefined, undefined, { context: 3 })
  const file = { path: 'a.md', status: 'modified', additions: 2, deletions: 2, omitted: null, patch } as const
  await endJobWith(dashboard.database, job.id, { files: [file], texts: [{ path: 'a.md', text: now }] })
  const at = `/projects/${dashboard.projectId}/jobs/${job.id}`
  const { page, expectClean, close } = await dashboard.openPage(at, { height: 2400 })
  const diff = page.getByTestId('diff')
  const has = (text: string) => diff.getByText(text, { exact: true }).count()
  // The table keeps its header, and the rows around the change.
  expect(await diff.locator('tr').first().textContent()).toBe('NameUse')
  expect([await has('flag 39'), await has('flag 30'), await has('flag 45')]).toEqual([1, 0, 0])
  await diff.getByRole('button', { name: 'Show all rows' }).click()
  expect([await has('flag 30'), await has('flag 45')]).toEqual([1, 1])
  expect([await has('Paragraph 49.'), await has('Paragraph 40.'), await has('Paragraph 20.')]).toEqual([1, 0, 0])
  await expectAccessible(page)
  await diff.getByRole('button', { name: /^Show \d+–162$/ }).click()
  expect([await has('Paragraph 40.'), await has('Paragraph 20.')]).toEqual([1, 0])
  await page.getByLabel('Source').check()
  expect([await has('Paragraph 40.'), await has('Paragraph 20.')]).toEqual([1, 0])
  const whole = page.getByRole('button', { name: /^Show the whole file a.md/ })
  await whole.click()
  expect([await has('Paragraph 20.'), await diff.getByText('are unchanged').count()]).toEqual([1, 0])
  await whole.click()
  await expect.poll(() => has('Paragraph 40.')).toBe(0)
  // A link leads to lines that are not near a change.
  await page.goto(`${dashboard.url}${at}?tab=changes&file=a.md&line=L100`)
  await expect.poll(() => diff.locator('[data-picked]').count()).toBe(1)
  expectClean()
  await close()
})

test('the split view shows the lines before and after side by side and requires a wide window; the chosen view persists', async () => {
  const job = await dashboard.createJob('Show both sides.')
  const after = BEFORE.replace('and macOS', 'and *Windows*').replace('- An item that goes away\n', '')
  const patch = createTwoFilesPatch('a/a.mdx', 'b/a.mdx', BEFORE, after)
  await endJobWith(dashboard.database, job.id, {
    files: [
      { path: 'a.mdx', status: 'modified', additions: 1, deletions: 2, omitted: null, patch },
      toAddedFile('c.json', ['{}']),
    ],
    texts: [{ path: 'a.mdx', text: after }],
  })
  const at = `/projects/${dashboard.projectId}/jobs/${job.id}`
  const { page, context, expectClean, close } = await dashboard.openPage(at, { height: 2400 })
  const choice = (name: string) => page.getByRole('radio', { name, exact: true })
  expect(await choice('Rendered').isChecked()).toBe(true)
  await choice('Split').check()
  const rows = page.getByTestId('diff-split')
  const sides = (text: string) =>
    rows.filter({ hasText: text }).evaluate((row) => [...row.children].map((side) => side.getAttribute('data-kind')))
  await rows.first().waitFor()
  expect(await sides('Acme runs on')).toEqual(['removed', 'added'])
  expect(await rows.filter({ hasText: 'Acme runs on' }).locator('mark').allTextContents()).toEqual([
    'macOS',
    '*Windows*',
  ])
  expect(await sides('An item that goes away')).toEqual(['removed', null])
  expect(await sides('{}')).toEqual([null, 'added'])
  expect(await sides('# Install the CLI')).toEqual(['same', 'same'])
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme })
    await expectAccessible(page)
  }
  for (const width of [1100, 1600]) {
    await page.setViewportSize({ width, height: 2400 })
    await expectNoSideScroll(page)
  }
  // The view falls back to one column in a narrow window and returns to two columns in a wide one.
  await page.setViewportSize({ width: 1000, height: 800 })
  await expect.poll(() => rows.count()).toBe(0)
  expect(await choice('Split').count()).toBe(0)
  expect(await choice('Source').isChecked()).toBe(true)
  await page.setViewportSize({ width: 1280, height: 800 })
  await rows.first().waitFor()
  await page.reload()
  await rows.first().waitFor()
  await choice('Source').check()
  const again = await context.newPage()
  await again.goto(`${dashboard.url}${at}`)
  await again.getByTestId('diff').waitFor()
  expect(await again.getByRole('radio', { name: 'Source' }).isChecked()).toBe(true)
  expectClean()
  await close()
})
