import { expectAccessible, themes } from '@corrigenda/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLargeChange, LARGE_PROMPT, toLargeFile } from './test-support/create-large-change.ts'
import {
  BAR,
  CONTEXT,
  HEAD,
  NAMES,
  READ_HEADER,
  settle,
  toSectionTop,
  toTop,
} from './test-support/large-change-page.ts'
import { openDashboard, type TestDashboard } from './test-support/open-dashboard.ts'

let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await openDashboard({ idle: true })
})
afterAll(() => dashboard?.close())

test('the keyboard moves through a large change, collapses files, and marks them as viewed', async () => {
  const { at, id } = await createLargeChange(dashboard)
  const { page, expectClean, close } = await dashboard.openPage(at, { height: 900 })
  await page.getByTestId('diff').getByText('Section 9 of page 0').waitFor()
  const announced = () => page.getByTestId('announcer').textContent()
  const place = () => new URL(page.url()).searchParams
  const focused = () => page.evaluate('document.activeElement?.closest("[data-index]")?.textContent ?? ""')
  const viewed = () => page.getByTestId('viewed').textContent()

  await page.keyboard.press('d')
  await expect.poll(announced).toMatch(/^Change 1 of \d+: docs\/guides\/page-0.md, line/)
  await page.keyboard.press('d')
  await expect.poll(announced).toMatch(/^Change 2 of /)
  // The change is below the header, with some lines before it, and has the focus.
  expect(await settle(page, toTop('.diff-list-row:has([data-picked])'))).toBe(BAR + HEAD + CONTEXT)
  await expect.poll(focused).toContain('shows 0')
  const line = place().get('line')
  expect(line).toMatch(/^L\d+/)
  await page.keyboard.press('d')
  await expect.poll(announced).toMatch(/^Change 3 of /)
  await page.keyboard.press('D')
  await expect.poll(announced).toMatch(/^Change 2 of /)
  await expect.poll(() => place().get('line')).toBe(line)

  await page.keyboard.press('f')
  await expect.poll(announced).toBe(`File 2 of 60: ${NAMES[1]}`)
  expect(await settle(page, toSectionTop(NAMES[1]))).toBe(0)
  await page.keyboard.press('f')
  await expect.poll(announced).toBe(`File 3 of 60: ${NAMES[2]}`)
  await page.keyboard.press('F')
  await expect.poll(announced).toBe(`File 2 of 60: ${NAMES[1]}`)
  expect(await settle(page, toSectionTop(NAMES[1]))).toBe(0)

  // A viewed file closes, and its header stays where it is, also in the middle of the file.
  await page.evaluate('window.scrollBy(0, 300)')
  expect(await settle(page, READ_HEADER)).toBe(NAMES[1])
  await page.keyboard.press('v')
  await expect.poll(viewed).toBe('1 of 60 viewed')
  expect(await settle(page, toSectionTop(NAMES[1]))).toBe(0)
  const head = page.getByTestId('diff-file').filter({ hasText: NAMES[1] ?? '' })
  const isOpen = () => head.locator('[aria-expanded]').getAttribute('aria-expanded')
  expect(await isOpen()).toBe('false')
  await page.keyboard.press('x')
  await expect.poll(isOpen).toBe('true')
  await page.keyboard.press('X')
  await expect.poll(isOpen).toBe('false')
  expect(await settle(page, 'document.documentElement.scrollHeight < 6000')).toBe(true)
  await page.keyboard.press('X')
  await expect.poll(isOpen).toBe('true')

  // Two tabs do not lose each other's marks, which survive a reload, until the file's change differs.
  const other = await page.context().newPage()
  await other.goto(page.url())
  await other.getByLabel(`Viewed ${NAMES[2]}`).check()
  await expect.poll(viewed).toBe('2 of 60 viewed')
  await page.keyboard.press('F')
  expect(await settle(page, READ_HEADER)).toBe(NAMES[0])
  await page.keyboard.press('v')
  await expect.poll(() => other.getByTestId('viewed').textContent()).toBe('3 of 60 viewed')
  await other.close()
  await page.reload()
  await expect.poll(viewed).toBe('3 of 60 viewed')
  const pages = NAMES.map((_, n) => toLargeFile(n, n === 1 ? 'reports' : 'shows'))
  await dashboard.database.prisma.jobChanges.update({
    where: { jobId: id },
    data: {
      files: JSON.parse(JSON.stringify(pages.map(({ file }) => file))),
      texts: JSON.parse(JSON.stringify(pages.map(({ text }) => text))),
    },
  })
  await page.reload()
  await expect.poll(viewed).toBe('2 of 60 viewed')

  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  for (const label of ['Next change', 'Previous file', 'Mark the file as viewed, or not']) {
    await sheet.getByText(label, { exact: true }).waitFor()
  }
  expectClean()
  await close()
})

test('comments on lines are kept as a draft and sent as one follow-up that quotes the lines', async () => {
  const { at, id } = await createLargeChange(dashboard)
  // Signing out ends the session of all pages of a user.
  const user = { name: 'Mia', email: 'mia@example.com' }
  const member = await dashboard.invite(dashboard.projectId, 'member', user)
  const { page, expectClean, close } = await dashboard.openPage(at, { height: 900, as: member })
  await page.getByLabel('Source').check()
  const pick = (name: string) => page.getByTestId('diff').getByRole('button', { name, exact: true }).first()
  await pick('Select line 3').click()
  await pick('Select line 6').click({ modifiers: ['Shift'] })
  const field = page.getByLabel('Comment on lines 3–6')
  await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true)
  expect(new URL(page.url()).searchParams.get('line')).toBe('L3-6')
  await field.fill('Say it in one sentence.')
  await page.getByRole('button', { name: 'Add to follow-up' }).click()
  // The focus stays at the comment, and after its deletion at its last line.
  const focused = () =>
    page.evaluate('document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent')
  await expect.poll(focused).toBe('Edit')
  await page.keyboard.press('Enter')
  await expect.poll(() => field.evaluate((one) => one === document.activeElement)).toBe(true)
  await page.keyboard.press('Escape')
  await expect.poll(focused).toBe('Edit')
  await pick('Select line 9').click()
  await page.keyboard.press('Escape')
  await expect.poll(focused).toBe('Select line 9')
  // The second comment is on the next change of another file, by keyboard.
  await page.getByRole('button', { name: 'Next file' }).click()
  await page.keyboard.press('c')
  const second = page.getByRole('textbox', { name: /^Comment on / })
  await expect.poll(() => second.evaluate((one) => one === document.activeElement)).toBe(true)
  await page.keyboard.type('Keep this one.')
  await page.keyboard.press('Control+Enter')
  await page.getByRole('button', { name: '2 comments' }).waitFor()
  await page.getByLabel('Follow-up', { exact: true }).fill('Two remarks.')

  await page.reload()
  await page.getByRole('button', { name: '2 comments' }).click()
  await page.getByRole('button', { name: `${NAMES[0]}, lines 3–6`, exact: true }).click()
  await page
    .getByRole('region', { name: `Comment on ${NAMES[0]}, lines 3–6` })
    .getByText('Say it in one')
    .waitFor()
  for (const theme of themes) {
    await page.emulateMedia({ colorScheme: theme })
    await expectAccessible(page)
  }
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('list', { name: 'Follow-ups' }).getByText('Two remarks.').waitFor()
  expect(await page.getByRole('button', { name: '2 comments' }).count()).toBe(0)
  const { prompt } = await dashboard.database.prisma.jobMessage.findFirstOrThrow({ where: { jobId: id } })
  expect(prompt).toMatch(
    /^Two remarks\.\n\nComments on your changes:\n\ndocs\/guides\/page-0\.md, lines 3–6:\n\n> The command [\s\S]*> The command [\s\S]*\n\nSay it in one sentence\.\n\ndocs\/guides\/page-1\.md, [\s\S]*: *\n\n> [\s\S]*\n\nKeep this one\.$/,
  )
  await page.reload()
  const box = page.getByLabel('Follow-up', { exact: true })
  expect(await box.inputValue()).toBe('')

  // What is not sent is removed when the user signs out.
  await pick('Select line 3').click()
  await page.getByLabel('Comment on line 3').fill('The comment of a secret plan.')
  await box.fill('The text of a secret plan.')
  const readStorage = () => page.evaluate('JSON.stringify(localStorage)')
  expect(await readStorage()).toMatch(/text of a secret plan.*comment of a secret plan/)
  await page.getByRole('link', { name: 'Account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/sign-in')
  expect(await readStorage()).not.toContain('secret plan')
  expectClean()
  await close()
})

test('the tab, the file and the lines are part of the address', async () => {
  const { at } = await createLargeChange(dashboard)
  const { page, expectClean, close } = await dashboard.openPage(at, { height: 900 })
  const isSelected = (name: string) => page.getByRole('tab', { name }).getAttribute('aria-selected')
  await page.getByRole('tab', { name: 'Transcript' }).click()
  await expect.poll(() => new URL(page.url()).search).toBe('?tab=transcript')
  await page.reload()
  await expect.poll(() => isSelected('Transcript')).toBe('true')
  // A link to a line of a file that was never shown, in the rendered view.
  const query = new URLSearchParams({ file: NAMES[41] ?? '', line: 'L51' })
  await page.goto(`${dashboard.url}${at}?${query}`)
  await expect.poll(() => isSelected('Changes')).toBe('true')
  expect(await settle(page, READ_HEADER)).toBe(NAMES[41])
  expect(await settle(page, toTop('.diff-list-row:has([data-picked])'))).toBe(BAR + HEAD + CONTEXT)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const read = () => page.evaluate('navigator.clipboard.readText()')
  await page.getByRole('button', { name: `Copy link to ${NAMES[41]}` }).click()
  await expect
    .poll(read)
    .toBe(`${dashboard.url}${at}?${new URLSearchParams({ tab: 'changes', file: NAMES[41] ?? '' })}`)
  await page.evaluate('window.scrollTo(0, 0)')
  for (const [name, text] of [
    ['Copy link', `${dashboard.url}${at}`],
    ['Copy job ID', at.split('/').at(-1)],
  ] as const) {
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name, exact: true }).click()
    await expect.poll(read).toBe(text)
  }
  await page.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Copy as Markdown' }).click()
  await expect.poll(read).toContain(`> ${LARGE_PROMPT.trim()}\n\n- Job: [`)
  expectClean()
  await close()
})
