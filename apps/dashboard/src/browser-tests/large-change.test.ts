import { expectAccessible, expectNoSideScroll, themes } from '@corrigenda/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLargeChange } from './test-support/create-large-change.ts'
import { NAMES, READ_HEADER, settle, toSectionTop, toTop } from './test-support/large-change-page.ts'
import { openDashboard, type TestDashboard } from './test-support/open-dashboard.ts'

let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await openDashboard({ idle: true })
})
afterAll(() => dashboard?.close())

const NODES = 'document.querySelectorAll("*").length'

test('a change of 60 files: headers stick, the tree follows, jumps are exact, and the page stays small', async () => {
  const { at } = await createLargeChange(dashboard)
  const start = Date.now()
  const { page, expectClean, close } = await dashboard.openPage(at, { height: 900 })
  await page.getByTestId('diff').getByText('Section 9 of page 0').waitFor()
  console.log(`60 files: the first change is visible after ${Date.now() - start} ms`)
  const nodes: number[] = [await settle<number>(page, NODES)]

  const tree = page.getByRole('navigation', { name: 'Changed files' })
  const listed = await tree
    .getByRole('button')
    .evaluateAll((all) => all.map((one) => one.querySelector('[title]')?.getAttribute('title')))
  expect(listed).toEqual(NAMES)

  // Each position has the header of its file, which the tree marks. The follow-up box is in view.
  const height = (await page.evaluate('document.documentElement.scrollHeight')) as number
  for (const share of [0.2, 0.5, 0.8]) {
    await page.evaluate(`window.scrollTo(0, ${Math.round(height * share)})`)
    const path = await settle<string>(page, READ_HEADER)
    expect(NAMES).toContain(path)
    const marked = tree.locator('[aria-current]')
    expect(await marked.locator('[title]').getAttribute('title')).toBe(path)
    const [outer, inner] = [await tree.boundingBox(), await marked.boundingBox()]
    expect(inner!.y).toBeGreaterThanOrEqual(outer!.y - 1)
    expect(inner!.y + inner!.height).toBeLessThanOrEqual(outer!.y + outer!.height + 1)
    const box = await page.getByLabel('Follow-up', { exact: true }).boundingBox()
    expect(box!.y + box!.height).toBeLessThanOrEqual(900)
    nodes.push(await settle<number>(page, NODES))
  }

  // A file jumps to exactly below the bar, forwards and backwards, over rows that were never shown.
  for (const n of [37, 3, 52]) {
    await tree.getByRole('button', { name: `page-${n}.md` }).click()
    expect(await settle(page, toSectionTop(NAMES[n]))).toBe(0)
    expect(await settle(page, READ_HEADER)).toBe(NAMES[n])
    expect(new URL(page.url()).searchParams.get('file')).toBe(NAMES[n])
  }

  // The end of the page is the end of the change, by key and by the scroll bar.
  const READ_END = `[
    Math.round(document.documentElement.scrollHeight - window.innerHeight - window.scrollY),
    [...document.querySelectorAll('.diff-file-path')].at(-1).title,
  ]`
  await page.keyboard.press('End')
  expect(await settle(page, READ_END)).toEqual([0, NAMES[59]])
  await page.getByTestId('diff').getByText('Line 89.').last().waitFor()
  await page.reload()
  await page.getByTestId('diff-file').first().waitFor()
  await page.evaluate('window.scrollTo(0, document.documentElement.scrollHeight)')
  expect(await settle(page, READ_END)).toEqual([0, NAMES[59]])
  await page.getByTestId('diff').getByText('Line 89.').last().waitFor()
  nodes.push(await settle<number>(page, NODES))
  console.log(`60 files: at most ${Math.max(...nodes)} DOM nodes`)
  expect(Math.max(...nodes)).toBeLessThan(3_000)
  expectClean()
  await close()
})

test('the header is shown at once, and each part fills in without moving it', async () => {
  const { at } = await createLargeChange(dashboard)
  const { page, context, close } = await dashboard.openPage('/account')
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  for (const part of ['transcript', 'changes', 'events']) {
    await context.route(new RegExp(`/${part}(?:\\?|$)`), async (route) => {
      await held
      await route.continue()
    })
  }
  await page.goto(`${dashboard.url}${at}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.getByTestId('pull-request').waitFor()
  expect(await page.getByTestId('status-badge').first().textContent()).toBe('Needs review')
  expect(await page.getByTestId('diff').count()).toBe(0)
  const READ = `[${['.job-prompt', '.job-notes', '.tabs-list', '.follow-up'].map(toTop).join()}]`
  const before = await settle(page, READ)
  release()
  await page.getByTestId('diff-file').first().waitFor()
  await page.getByTestId('timeline-step').first().waitFor()
  expect(await settle(page, READ)).toEqual(before)
  await close()
})

test('on phones, targets are large, timeline and details are folded, and change and follow-up box are in reach', async () => {
  const { at } = await createLargeChange(dashboard)
  const { page, expectClean, close } = await dashboard.openPage(at, { width: 360, height: 740 })
  await page.getByTestId('diff-file').first().waitFor()
  for (const name of ['Timeline', 'Details', 'Files (60)']) {
    expect(await page.getByRole('button', { name }).getAttribute('aria-expanded')).toBe('false')
  }
  const box = await page.getByLabel('Follow-up', { exact: true }).boundingBox()
  expect(box!.y + box!.height).toBeLessThanOrEqual(740)
  // Two screens below the top at most.
  expect(await settle<number>(page, toTop('.diff-file'))).toBeLessThan(2 * 740)
  await page.getByRole('button', { name: 'Files (60)' }).click()
  const READ_SMALL = `[...document.querySelectorAll('.job-page :is(a, button, input, textarea, select)')]
    .filter((one) => !one.closest('.diff-list-row') && one.checkVisibility())
    .map((one) => one.matches('input') ? (one.closest('label') ?? one) : one)
    .map((one) => ({ text: one.textContent || one.className, box: one.getBoundingClientRect() }))
    .filter(({ box }) => box.width > 0 && (box.height < 43.5 || box.width < 43.5))
    .map(({ text, box }) => text + ' ' + box.width + '×' + box.height)`
  expect(await settle(page, READ_SMALL)).toEqual([])
  await page.getByRole('button', { name: 'Details' }).click()
  expect(await settle(page, READ_SMALL)).toEqual([])
  await page.getByRole('button', { name: 'Next file' }).click()
  expect(await settle(page, toSectionTop(NAMES[1]))).toBe(0)
  await expectNoSideScroll(page)
  expectClean()
  await close()
})

test('the page is accessible in both themes, on desktops and phones, and at 200% zoom', async () => {
  const { at } = await createLargeChange(dashboard)
  const { page, expectClean, close } = await dashboard.openPage(at)
  await page.getByTestId('diff-file').first().waitFor()
  for (const [width, height] of [
    [1280, 800],
    [360, 740],
    [640, 400],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.evaluate('window.scrollTo(0, 9000)')
    await settle(page, 'window.scrollY')
    await expectNoSideScroll(page)
    for (const theme of themes) {
      await page.emulateMedia({ colorScheme: theme })
      await expectAccessible(page)
    }
    // What sticks to the window leaves at least half of it to the change.
    const free = await settle<number>(
      page,
      `document.querySelector('.follow-up').getBoundingClientRect().top - document.querySelector('.diff-list-head').getBoundingClientRect().bottom`,
    )
    expect(free).toBeGreaterThan(height / 2)
  }
  expectClean()
  await close()
})

test('"Collapse all" and "Expand all" above the change leave the page where it is', async () => {
  const { at } = await createLargeChange(dashboard)
  const { page, expectClean, close } = await dashboard.openPage(at, { height: 900 })
  await page.getByTestId('diff').getByText('Section 9 of page 0').waitFor()
  const readTop = () => settle<number>(page, 'Math.round(window.scrollY)')
  for (const name of ['Collapse all', 'Expand all', 'Collapse all']) {
    const button = page.getByRole('button', { name })
    await button.scrollIntoViewIfNeeded()
    const before = await readTop()
    await button.click()
    expect([name, await readTop()]).toEqual([name, before])
  }
  expectClean()
  await close()
})
