import { expectAccessible, expectNoSideScroll, themes } from '@corrigenda/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLargeChange, FILES } from './test-support/create-large-change.ts'
import { openDashboard, type TestDashboard } from './test-support/open-dashboard.ts'

let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await openDashboard({ idle: true })
})
afterAll(() => dashboard?.close())

type Page = Awaited<ReturnType<TestDashboard['openPage']>>['page']

/** The bar above the change has this height, and sticks to the top of the window. */
const BAR = 44
const NAMES = Array.from({ length: FILES }, (_, n) => `docs/guides/page-${n}.md`)

/** Evaluates an expression until it has the same value in several frames, and returns it. */
async function settle<T>(page: Page, expression: string): Promise<T> {
  return (await page.evaluate(`new Promise((done) => {
    let last, still = 0
    const look = () => {
      const now = JSON.stringify(${expression})
      still = now === last ? still + 1 : 0
      last = now
      still > 10 ? done(now === undefined ? null : JSON.parse(now)) : requestAnimationFrame(look)
    }
    look()
  })`)) as T
}

/** Path in the file header at the top of the window, below the bar. */
const HEADER = `document.elementFromPoint(document.querySelector('.diff-list').getBoundingClientRect().left + 60, ${BAR + 20})
  .closest('.diff-file')?.querySelector('.diff-file-path').title ?? null`
/** Distance from the top of a file's section to the bar. */
const toSectionTop = (path: string) => `Math.round([...document.querySelectorAll('[data-section]')]
  .find((one) => one.querySelector('.diff-file-path')?.title === '${path}')?.getBoundingClientRect().top - ${BAR})`
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
    const path = await settle<string>(page, HEADER)
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
    expect(await settle(page, toSectionTop(NAMES[n] ?? ''))).toBe(0)
    expect(await settle(page, HEADER)).toBe(NAMES[n])
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
