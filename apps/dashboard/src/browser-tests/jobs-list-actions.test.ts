import { COMMAND_LINE } from '@corrigenda/core/audit'
import { archiveJob } from '@corrigenda/core/jobs'
import type { Page } from '@corrigenda/testkit'
import { expectAccessible } from '@corrigenda/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkVariants } from './test-support/check-screen.ts'
import { openDashboard, type TestDashboard } from './test-support/open-dashboard.ts'

let dashboard: TestDashboard
/** Ids of ten jobs, newest first. The first three are queued, the others were cancelled. */
const ids: string[] = []
beforeAll(async () => {
  dashboard = await openDashboard({ idle: true })
  for (let n = 9; n >= 0; n -= 1) ids.unshift((await dashboard.createJob(`Job number ${n}`)).id)
  for (const id of ids.slice(3)) expect((await post(id, 'cancel')).status).toBe(200)
})
afterAll(() => dashboard?.close())

const at = () => `/projects/${dashboard.projectId}/jobs`
const rows = (page: Page) => page.getByTestId('job-row')
const row = (page: Page, n: number) => page.locator(`[data-job="${ids[n]}"]`)
const box = (page: Page, n: number) => row(page, n).getByRole('checkbox')
const bar = (page: Page) => page.getByRole('region', { name: 'Selected jobs' })

const post = (id: string, verb: string) =>
  fetch(`${dashboard.url}/v2/agent/${dashboard.projectId}/job/${id}/${verb}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${dashboard.key}` },
  })

/** Changes jobs in ways that triggers reject. */
const force = (set: string, ...jobs: readonly number[]) =>
  dashboard.database.pool.query(
    `BEGIN; SET LOCAL session_replication_role = replica;
     UPDATE jobs SET ${set} WHERE id IN (${jobs.map((n) => `'${ids[n]}'`).join()}); COMMIT`,
  )

const open = async (query = '?status=all', given: Parameters<TestDashboard['openPage']>[1] = {}) => {
  const watched = await dashboard.openPage(`${at()}${query}`, given)
  await rows(watched.page).first().waitFor()
  return watched
}

test('rows are selected with the keyboard, ranges and the header, and viewers cannot select any', async () => {
  const { page, close, expectClean } = await open()
  expect(await bar(page).count()).toBe(0)
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await bar(page).getByText('1 selected').waitFor()
  expect(await box(page, 0).isChecked()).toBe(true)
  for (let n = 0; n < 3; n += 1) await page.keyboard.press('j')
  await page.keyboard.press('Shift+X')
  await bar(page).getByText('4 selected').waitFor()
  await box(page, 7).click()
  // The keyboard still works after a click on a checkbox.
  await page.keyboard.press('k')
  await box(page, 9).click({ modifiers: ['Shift'] })
  await bar(page).getByText('7 selected').waitFor()
  expect(await box(page, 8).isChecked()).toBe(true)
  expect(await box(page, 5).isChecked()).toBe(false)
  await box(page, 8).click()
  await bar(page).getByText('6 selected').waitFor()
  await page.getByRole('checkbox', { name: 'Select all 10 jobs on this page' }).click()
  await bar(page).getByText('10 selected').waitFor()
  await checkVariants(page)
  await page.keyboard.press('Escape')
  await bar(page).waitFor({ state: 'detached' })
  expectClean()
  await close()

  const viewer = await dashboard.invite(dashboard.projectId, 'viewer')
  const other = await open('?status=all', { as: viewer })
  expect(await other.page.getByRole('checkbox').count()).toBe(0)
  await other.page.keyboard.press('j')
  await other.page.keyboard.press('x')
  expect(await bar(other.page).count()).toBe(0)
  await other.close()
})

test('one confirmation acts on exactly the jobs that it names, and shows the result of each', async () => {
  const { page, close, expectClean } = await open()
  await page.getByRole('checkbox', { name: /^Select all/ }).click()
  await bar(page).getByRole('button', { name: 'Cancel 3' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('heading', { name: 'Cancel 3 jobs?' }).waitFor()
  await dialog.getByText('7 jobs of the selection are skipped.').waitFor()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel 3 jobs' }).click()
  await dialog.getByRole('heading', { name: '3 jobs cancelled' }).waitFor()
  expect(await dialog.getByText('Done', { exact: true }).count()).toBe(4)
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await bar(page).waitFor({ state: 'detached' })
  await expect.poll(() => page.getByTestId('status-badge').allTextContents()).toEqual(Array(10).fill('Cancelled'))
  const audit = await dashboard.database.prisma.auditEvent.findMany({
    where: { action: 'job.cancelled', actorType: 'user' },
  })
  expect(audit.map(({ targetId }) => targetId).sort()).toEqual(ids.slice(0, 3).sort())
  expectClean()
  await close()
})

test('an action that fails for some jobs names them, and can be repeated for them only', async () => {
  const { page, close } = await open()
  for (const n of [0, 1, 2]) await box(page, n).click()
  await bar(page).getByRole('button', { name: 'Archive 3' }).click()
  const dialog = page.getByRole('dialog')
  const sent: string[] = []
  let isBroken = true
  await page.route('**/archive', async (route) => {
    sent.push(route.request().url().split('/').at(-2) ?? '')
    if (
      isBroken &&
      route
        .request()
        .url()
        .includes(ids[1] ?? '')
    ) {
      return route.fulfill({
        status: 409,
        headers: { 'x-error-code': 'job_active' },
        json: { error: 'The job is active.' },
      })
    }
    return route.continue()
  })
  await dialog.getByRole('button', { name: 'Archive 3 jobs' }).click()
  await dialog.getByRole('heading', { name: '2 archived, 1 failed' }).waitFor()
  expect(await dialog.getByRole('listitem').filter({ hasText: 'The job is active.' }).textContent()).toContain(
    'Job number 1',
  )
  isBroken = false
  await dialog.getByRole('button', { name: 'Try failed jobs again' }).click()
  await dialog.getByRole('heading', { name: '3 jobs archived' }).waitFor()
  expect(sent.filter((id) => id !== ids[1])).toHaveLength(2)
  await dialog.getByRole('button', { name: 'Done' }).click()

  // A retry whose response was lost is not repeated by the second try.
  await box(page, 3).click()
  await page.route('**/retry', async (route) => {
    // The browser adds this header after the request was intercepted.
    const headers = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' }
    const response = await route.fetch({ headers })
    expect(response.ok(), await response.text()).toBe(true)
    await page.unroute('**/retry')
    await route.abort()
  })
  await bar(page).getByRole('button', { name: 'Retry 1' }).click()
  await dialog.getByRole('button', { name: 'Retry 1 job' }).click()
  await dialog.getByRole('heading', { name: '0 retried, 1 failed' }).waitFor()
  await dialog.getByRole('button', { name: 'Try failed jobs again' }).click()
  await dialog.getByRole('heading', { name: '1 job retried' }).waitFor()
  expect(await dashboard.database.prisma.job.count({ where: { retryOf: ids[3] ?? '' } })).toBe(1)
  await close()
})

test('filters are in the URL, combine with the search, and show the total', async () => {
  await force("model = 'm-2', created_by = 'usr_x', created_by_name = 'Ada'", 4, 5)
  await force("created_at = now() - interval '40 days'", 9)
  const { page, close, expectClean } = await open('?author=usr_x')
  await expect.poll(() => rows(page).count()).toBe(2)
  await page.getByText('2 of 2 jobs').waitFor()
  // The panel is open, because a filter in it is active.
  await page.getByRole('button', { name: 'Filters (1)' }).waitFor()
  expect(await page.getByLabel('Author').locator('option:checked').textContent()).toBe('Ada')
  await checkVariants(page)
  await page.getByRole('searchbox').fill('number 5')
  await expect.poll(() => rows(page).count()).toBe(1)
  await page.getByText('1 of 1 job').waitFor()
  await page.reload()
  await expect.poll(() => rows(page).count()).toBe(1)
  await page.getByRole('searchbox').fill('')
  await page.getByRole('button', { name: 'Clear filters' }).click()
  // The first view shows the open jobs, here the retry.
  await expect.poll(() => rows(page).count()).toBe(1)
  await page.getByRole('button', { name: /^All 11/ }).click()
  await expect.poll(() => rows(page).count()).toBe(11)
  await page.getByLabel('Model').selectOption('m-2')
  await expect.poll(() => rows(page).count()).toBe(2)
  expect(new URL(page.url()).search).toBe('?status=all&model=m-2')
  await page.getByRole('searchbox').fill('no such words')
  await page.getByText('No jobs match this filter.').waitFor()
  await page.getByRole('button', { name: 'Show all' }).click()
  const day = new Date(Date.now() - 20 * 86_400_000).toISOString().slice(0, 10)
  await page.getByLabel('Created to').fill(day)
  await expect.poll(() => rows(page).evaluateAll((all) => all.map((one) => one.dataset.job))).toEqual([ids[9]])
  await page.getByLabel('Created to').fill('')
  await page.getByLabel('Failure').selectOption('cancelled')
  await page.getByText(/^10 of 10 jobs$/).waitFor()
  expectClean()
  await close()
})

test('a count that is a lower bound is marked', async () => {
  const { page, close } = await open()
  await page.route(/\/api\/.*\/jobs\?/, async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), isCountExact: false } })
  })
  await page.reload()
  await page.getByRole('button', { name: /^Cancelled \d+\+$/ }).waitFor()
  await page.getByText(/^11 of 11\+ jobs$/).waitFor()
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await close()
})

test('columns without information are hidden', async () => {
  const titles = (page: Page) => page.locator('.jobs-list th').allTextContents()
  const { page, close } = await open('?status=queued')
  expect((await titles(page)).slice(1)).toEqual(['Status', 'Job', 'Created'])
  await force('cost_usd = 1.5, worked_ms = 5000', 6)
  await force(
    "status = 'completed', outcome = 'changed', failure_code = NULL, failure_message = NULL, head_commit = repeat('c', 40), pr_number = 4, pr_url = 'https://x.example/4', pr_link = 'https://x.example/4', pr_branch = 'b', pr_state = 'merged', pr_draft = false",
    6,
  )
  await page.goto(`${dashboard.url}${at()}?status=all`)
  await rows(page).first().waitFor()
  expect((await titles(page)).slice(1)).toEqual([
    'Status',
    'Job',
    'Pull request',
    'Duration',
    'Cost',
    'Model',
    'Created',
  ])
  await close()
})

test('on phones, cards are at most 120 px high and touch targets at least 44 px', async () => {
  await archiveJob({ ...dashboard.database, audit: COMMAND_LINE }, { projectId: dashboard.projectId, id: ids[6] ?? '' })
  await force(`title = 'A very long title ${'that does not fit '.repeat(10)}'`, 5, 6)
  const { page, close } = await open('?status=all', { width: 360 })
  const heights = await rows(page).evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height))
  expect(Math.max(...heights)).toBeLessThanOrEqual(120)
  // Below the title, not below the checkbox.
  const title = await row(page, 6).locator('.job-row-title').boundingBox()
  const fact = await row(page, 6).locator('.job-row-fact').first().boundingBox()
  expect(fact?.x).toBeGreaterThanOrEqual(title?.x ?? 0)
  await box(page, 1).click()
  await bar(page).getByRole('button', { name: 'Select all 11' }).waitFor()
  const small = await page
    .locator('main :is(button, tbody input, select, .job-row-pull-request a, a.button)')
    .evaluateAll((all) =>
      all
        .map((one) => (one.matches('[type="checkbox"]') ? (one.closest('label') ?? one) : one))
        .map((one) => ({ text: one.textContent, box: one.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && (box.height < 44 || box.width < 44))
        .map(({ text, box }) => `${text} ${box.width} x ${box.height}`),
    )
  expect(small).toEqual([])
  await close()
})
