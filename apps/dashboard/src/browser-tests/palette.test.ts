import type { Page } from '@corrigenda/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkVariants } from './test-support/check-screen.ts'
import { endJobWith, toAddedFile } from './test-support/end-job-with.ts'
import { openDashboard, type TestDashboard } from './test-support/open-dashboard.ts'

let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await openDashboard({ idle: true })
})
afterAll(() => dashboard?.close())

const jobs = () => `/projects/${dashboard.projectId}/jobs`
const field = (page: Page) => page.getByRole('combobox', { name: 'Search pages, jobs and actions' })
/** Text of the option that `aria-activedescendant` names. */
const active = (page: Page) =>
  field(page).evaluate((input) => {
    const option = document.getElementById(input.getAttribute('aria-activedescendant') ?? '')
    return option?.getAttribute('aria-selected') === 'true' ? (option.textContent ?? '') : null
  })

test('a walk through the palette by keyboard: pages, jobs, other projects and actions', async () => {
  const { id } = await dashboard.createJob('Describe the zebra option')
  await dashboard.createJob('Describe the giraffe option')
  const other = await dashboard.makeProject('Second docs')
  const watched = await dashboard.openPage(jobs())
  const { page } = watched
  await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor()
  await page.keyboard.press('Control+k')
  await expect.poll(() => page.evaluate('document.activeElement.getAttribute("role")')).toBe('combobox')
  await page.getByRole('option', { name: /giraffe/ }).waitFor()
  expect(await field(page).getAttribute('aria-expanded')).toBe('true')
  await expect.poll(() => active(page)).toContain('Jobs')
  await page.keyboard.press('ArrowUp')
  await expect.poll(() => active(page)).toBe('Sign out')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => active(page)).toContain('New job')
  await checkVariants(page)
  await page.keyboard.type('sett')
  await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Settingsgs'])
  await page.keyboard.press('Enter')
  await page.waitForURL('**/settings')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  // A job by its text, and by its id.
  await page.keyboard.press('Meta+k')
  await page.keyboard.type('zebra')
  await expect.poll(() => active(page)).toContain('zebra')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/${id}`)
  await page.keyboard.press('Control+k')
  await page.keyboard.type(id)
  await expect.poll(() => page.getByRole('option').count()).toBe(1)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await page.keyboard.press('Control+k')
  await page.keyboard.type('no such thing')
  await page.getByText('Nothing found.').waitFor()
  await field(page).fill('dark')
  await expect.poll(() => active(page)).toBe('Use the dark theme')
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('second')
  await expect.poll(() => active(page)).toBe('Second docs')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/projects/${other.id}/jobs`)
  watched.expectClean()
  await watched.close()
})

test('the palette cancels, retries and archives the open job', async () => {
  const { id } = await dashboard.createJob('Describe the lion option')
  const watched = await dashboard.openPage(`${jobs()}/${id}`)
  const { page } = watched
  const run = async (words: string) => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type(words)
    await expect.poll(() => active(page)).toContain('this job')
    await page.keyboard.press('Enter')
  }
  await page.getByRole('button', { name: 'Cancel job' }).waitFor()
  await run('cancel job')
  await page.getByRole('dialog', { name: 'Cancel this job?' }).or(page.getByRole('alertdialog')).waitFor()
  await page.keyboard.press('Escape')
  await endJobWith(dashboard.database, id, { files: [toAddedFile('a.md', ['a'])] })
  await page.reload()
  await page.getByTestId('status-badge').filter({ hasText: 'Needs review' }).waitFor()
  await run('archive')
  await expect
    .poll(() => dashboard.database.prisma.job.findUnique({ where: { id } }))
    .toMatchObject({ status: 'archived' })
  await page.getByTestId('status-badge').filter({ hasText: 'Archived' }).waitFor()
  await run('retry')
  await page.waitForURL((url) => url.pathname.includes('/jobs/job_') && !url.pathname.endsWith(id))
  watched.expectClean()
  await watched.close()
})

test('sequences of keys open the pages, and the sheet lists them with the palette', async () => {
  const watched = await dashboard.openPage(jobs())
  const { page } = watched
  await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor()
  for (const [keys, path] of [
    ['gs', '/settings'],
    ['gm', '/members'],
    ['gk', '/keys'],
    ['gu', '/usage'],
    ['go', '/ops'],
    ['gj', '/jobs'],
  ] as const) {
    for (const key of keys) await page.keyboard.press(key)
    await page.waitForURL(`**${path}`)
  }
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  for (const text of ['Open the command palette', 'Go to settings', 'Go to members', 'Go to operations']) {
    await sheet.getByText(text).waitFor()
  }
  // An open dialog keeps the keyboard.
  await page.keyboard.press('Control+k')
  expect(await field(page).count()).toBe(0)
  watched.expectClean()
  await watched.close()
})

test('on a phone, a button opens the palette, and its options are large enough to touch', async () => {
  const watched = await dashboard.openPage(jobs(), { width: 360 })
  const { page } = watched
  await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Command palette' }).click()
  const option = page.getByRole('option', { name: 'Members' })
  await option.waitFor()
  expect((await option.boundingBox())?.height).toBeGreaterThanOrEqual(44)
  await option.click()
  await page.waitForURL('**/members')
  watched.expectClean()
  await watched.close()
})
