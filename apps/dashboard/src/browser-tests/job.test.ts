import { cancelJob } from '@corrigenda/core/jobs'
import { expectAccessible, expectNoSideScroll } from '@corrigenda/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkVariants } from './test-support/check-screen.ts'
import { openDashboard, PROMPT, type TestDashboard } from './test-support/open-dashboard.ts'
import { startJobWith } from './test-support/start-job-with.ts'

let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await openDashboard()
})
afterAll(() => dashboard?.close())

const at = (jobId: string) => `/projects/${dashboard.projectId}/jobs/${jobId}`
type Page = Awaited<ReturnType<TestDashboard['openPage']>>['page']

const listSteps = (page: Page) =>
  page.getByTestId('timeline-step').evaluateAll((steps) => steps.map((step) => step.dataset.kind))
/** Selects an entry of the job's menu. */
async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
}
const readBadge = (page: Page) => page.getByTestId('status-badge').first().textContent()

test('an open job page updates from queued to completed and shows the steps in order', async () => {
  await dashboard.stopWorkers()
  const job = await dashboard.createJob()
  const { page, expectClean, close } = await dashboard.openPage(at(job.id))
  await expect.poll(() => readBadge(page)).toBe('Queued')
  await expect.poll(() => page.title()).toMatch(/^Queued: The command has a new name.* · Corrigenda$/)
  // A reload would lose this value.
  await page.evaluate('window.stayed = true')
  await page.getByRole('heading', { name: /^The command has a new name/ }).waitFor()
  const icon = await page.locator('link[rel="icon"]').getAttribute('href')
  await dashboard.work()
  await expect.poll(() => readBadge(page)).toBe('Needs review')
  await expect
    .poll(() => listSteps(page))
    .toEqual(['queued', 'preparing', 'editing', 'checking', 'publishing', 'completed'])
  expect(await page.evaluate('window.stayed')).toBe(true)
  expect(await page.title()).toMatch(/^Needs review: /)
  expect(await page.locator('link[rel="icon"]').getAttribute('href')).not.toBe(icon)
  expect(await page.getByTestId('announcer').textContent()).toBe('Job status: Needs review')
  // The Changes tab opens automatically when the job has completed.
  await page.getByTestId('diff').waitFor()
  await expect.poll(() => page.getByRole('tab', { name: 'Changes' }).getAttribute('aria-selected')).toBe('true')
  expect(await page.getByTestId('diff').locator('del').first().textContent()).toBe('doctor')
  expect(await page.getByTestId('diff').locator('ins').first().textContent()).toBe('check')
  const card = page.getByTestId('pull-request')
  const { prLink } = await dashboard.ended(job.id)
  expect(await card.getByRole('link').first().getAttribute('href')).toBe(prLink)
  expect(await card.textContent()).toMatch(/^Review #\d+$/)
  expectClean()
  await close()
})

test('the timeline and the transcript show the target of a move', async () => {
  await dashboard.stopWorkers()
  const job = await dashboard.createJob()
  await startJobWith(dashboard.database, job.id, [['move', { path: 'guides/old.mdx', new_path: 'guides/new.mdx' }]])
  const { page, expectClean, close } = await dashboard.openPage(at(job.id))
  const running = page.getByTestId('timeline-step').and(page.locator('[data-running]'))
  await running.getByText('move guides/old.mdx → guides/new.mdx').waitFor()
  await page.getByRole('tab', { name: 'Transcript' }).click()
  await page.getByRole('tabpanel').getByText('guides/old.mdx → guides/new.mdx').waitFor()
  await checkVariants(page)
  expectClean()
  await close()
  const idle = { wakeWorker: async () => {} }
  await cancelJob({ ...dashboard.database, queue: idle }, { projectId: dashboard.projectId, id: job.id })
  await dashboard.work()
})

test('all tabs show their content, are accessible and fit narrow screens', async () => {
  const job = await dashboard.createJob()
  const record = await dashboard.ended(job.id)
  const { page, expectClean, close } = await dashboard.openPage(at(job.id))
  const schemes = process.env.VARIANTS === 'all' ? (['light', 'dark'] as const) : null
  const inspect = async (one: 'light' | 'dark') => {
    for (const colorScheme of schemes ?? [one]) {
      await page.emulateMedia({ colorScheme })
      await expectAccessible(page)
    }
    await page.setViewportSize({ width: 360, height: 800 })
    await expectNoSideScroll(page)
    await page.setViewportSize({ width: 1280, height: 800 })
  }
  await page.getByTestId('diff').waitFor()
  await page.getByText('by API key Test key').waitFor()
  await inspect('light')
  await page.getByLabel('Source').check()
  await page.getByTestId('diff-line').first().waitFor()
  await inspect('dark')
  await page.getByRole('tab', { name: 'Transcript' }).click()
  await page.getByRole('button', { name: /^edit/ }).first().click()
  await page.locator('.transcript-output').first().waitFor()
  await inspect('light')
  const kinds = () => page.getByTestId('transcript-entry').evaluateAll((all) => all.map((entry) => entry.dataset.kind))
  expect((await kinds()).slice(0, 3)).toEqual(['run', 'header', 'input'])
  await page.getByLabel('Search the transcript').fill('check_docs')
  await expect.poll(async () => (await kinds()).includes('said')).toBe(false)
  const saving = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download JSON' }).click()
  expect((await saving).suggestedFilename()).toBe(`${job.id}.transcript.json`)
  await page.getByRole('tab', { name: 'Checks' }).click()
  await page.getByText('checks passed').first().waitFor()
  await inspect('dark')
  await page.getByRole('tab', { name: 'Raw' }).click()
  expect(JSON.parse((await page.locator('.code-block code').textContent()) ?? '')).toEqual(record)
  await inspect('light')
  expectClean()
  await close()
})

test('after an interruption, the page shows that it is reconnecting, resumes the event stream, and shows each step once', async () => {
  await dashboard.stopWorkers()
  const job = await dashboard.createJob()
  const { page, close } = await dashboard.openPage(at(job.id), { ignore: [/Failed to load resource/] })
  await expect.poll(() => listSteps(page)).toEqual(['queued'])
  await dashboard.restartApi(async () => {
    await page.getByTestId('reconnecting').waitFor()
  })
  await dashboard.work()
  await expect.poll(() => readBadge(page)).toBe('Needs review')
  await expect.poll(() => page.getByTestId('reconnecting').count()).toBe(0)
  const steps = ['queued', 'preparing', 'editing', 'checking', 'publishing', 'completed']
  await expect.poll(() => listSteps(page)).toEqual(steps)
  await close()
})

test('cancelling asks for confirmation, retrying creates a new job, and an archived job cannot be continued', async () => {
  await dashboard.stopWorkers()
  const job = await dashboard.createJob()
  const { page, expectClean, close } = await dashboard.openPage(at(job.id))
  await page.getByRole('button', { name: 'Cancel job' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Keep job' }).click()
  await expect.poll(() => readBadge(page)).toBe('Queued')
  await page.getByRole('button', { name: 'Cancel job' }).click()
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Cancel job' }).click()
  await expect.poll(() => readBadge(page)).toBe('Cancelled')
  await choose(page, 'Retry')
  await expect.poll(() => page.url()).not.toContain(job.id)
  await page.getByRole('button', { name: 'Details' }).click()
  await page.getByText('Retry of').waitFor()
  // `j` opens the next older job, and `k` opens the next newer one.
  const retried = page.url()
  await page.keyboard.press('j')
  await expect.poll(() => page.url()).toContain(job.id)
  await expect.poll(() => readBadge(page)).toBe('Cancelled')
  await page.keyboard.press('k')
  await expect.poll(() => page.url()).toBe(retried)
  await page.goto(`${dashboard.url}${at(job.id)}`)
  await choose(page, 'Archive')
  await expect.poll(() => readBadge(page)).toBe('Archived')
  await page.getByText('is archived and cannot be continued').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => readBadge(page)).toBe('Cancelled')
  await choose(page, 'Archive')
  await expect.poll(() => readBadge(page)).toBe('Archived')
  await choose(page, 'Delete')
  await dialog.getByRole('button', { name: 'Keep job' }).click()
  await choose(page, 'Delete')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Delete job' }).click()
  await expect.poll(() => page.url()).toMatch(/\/jobs$/)
  expectClean()
  await close()
  await dashboard.work()
})

test('sends one cancel request for repeated clicks, shows an error if it fails, and removes the button when the job ends', async () => {
  await dashboard.stopWorkers()
  const job = await dashboard.createJob()
  const { page, close } = await dashboard.openPage(at(job.id), { ignore: [/Failed to load resource/] })
  let sent = 0
  let beforeAbort = (): Promise<void> => Promise.resolve()
  await page.route('**/cancel', async (route) => {
    sent += 1
    await beforeAbort()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Cancel job' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancel this job?' })
  const confirm = dialog.getByRole('button', { name: 'Cancel job' })
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  beforeAbort = () => held
  await confirm.dblclick({ force: true })
  await expect.poll(() => confirm.isDisabled()).toBe(true)
  // Playwright may reject the click because the button is disabled. Only the number of requests counts.
  await confirm.click({ force: true, timeout: 1_000 }).catch(() => {})
  await page.keyboard.press('Enter')
  expect(sent).toBe(1)
  release()
  await dialog.getByRole('alert').filter({ hasText: 'The service is unreachable' }).waitFor()
  await dialog.getByRole('button', { name: 'Keep job' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Cancel job' }).click()
  // The previous error is not shown again.
  expect(await dialog.getByRole('alert').count()).toBe(0)
  await dashboard.work()
  await expect.poll(() => readBadge(page)).toBe('Needs review')
  await dialog.waitFor({ state: 'detached' })
  expect(await page.getByRole('button', { name: 'Cancel job' }).count()).toBe(0)
  expect(sent).toBe(1)
  // Repeated clicks before the next render create only one job.
  const { length } = await dashboard.database.prisma.job.findMany()
  await page.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Retry' }).evaluate((button) => {
    for (let click = 0; click < 3; click += 1) (button as { click?: () => void }).click?.()
  })
  await expect.poll(() => page.url()).not.toContain(job.id)
  expect(await dashboard.database.prisma.job.count()).toBe(length + 1)
  await close()
})

test('a user answers a question, and a follow-up updates the same pull request', async () => {
  const job = await dashboard.createJob('Translate the quickstart into German')
  await dashboard.ended(job.id)
  const { page, expectClean, close } = await dashboard.openPage(at(job.id))
  await page.getByTestId('question').getByText('follows a script').first().waitFor()
  const box = page.getByLabel('Your answer')
  await expect.poll(() => box.evaluate((field) => document.activeElement === field)).toBe(true)
  await expectAccessible(page)
  // A question does not take the focus from another field.
  await dashboard.stopWorkers()
  await page.reload()
  await box.fill('Translate the installation page')
  await box.press('Control+Enter')
  await expect.poll(() => readBadge(page)).toBe('Queued')
  await page.keyboard.press('Control+k')
  const palette = page.getByRole('combobox')
  await palette.waitFor()
  await dashboard.work()
  await dashboard.ended(job.id)
  await box.waitFor()
  expect(await palette.evaluate((field) => document.activeElement === field)).toBe(true)
  await page.keyboard.press('Escape')
  await box.fill('Add a page about rate limits')
  await box.press('Control+Enter')
  await expect.poll(() => readBadge(page)).toBe('Needs review')
  const card = page.getByTestId('pull-request')
  await card.waitFor()
  const link = await card.getByRole('link').first().getAttribute('href')
  await page.getByLabel('Follow-up', { exact: true }).fill(PROMPT)
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByRole('listitem').filter({ hasText: PROMPT }).first().waitFor()
  await expect.poll(async () => (await listSteps(page)).filter((kind) => kind === 'completed').length).toBe(3)
  await expect.poll(() => readBadge(page)).toBe('Needs review')
  expect(await card.getByRole('link').first().getAttribute('href')).toBe(link)
  await expect.poll(() => page.getByTestId('diff-file').count()).toBeGreaterThan(1)
  // A job that cannot be continued shows the reason.
  await dashboard.database.prisma.job.update({ where: { id: job.id }, data: { prState: 'merged' } })
  await page.reload()
  await page.getByText('The pull request was merged, so the job cannot be continued.').waitFor()
  expectClean()
  await close()
})

test('a viewer can read a job but not change it; members of other projects get 404', async () => {
  const job = await dashboard.createJob()
  await dashboard.ended(job.id)
  const viewer = await dashboard.invite(dashboard.projectId, 'viewer')
  const { page, close } = await dashboard.openPage(at(job.id), { as: viewer })
  await page.getByTestId('diff').waitFor()
  expect(await page.getByRole('button', { name: 'Send' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Actions' }).click()
  expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Copy link', 'Copy job ID', 'Copy as Markdown'])
  await close()
  const transcript = `/dashboard/api/projects/${dashboard.projectId}/jobs/${job.id}/transcript`
  expect((await dashboard.call('GET', transcript, { cookie: viewer.cookie })).status).toBe(200)
  expect((await dashboard.call('GET', transcript)).status).toBe(401)
  const withKey = await fetch(`${dashboard.url}${transcript}`, {
    headers: { authorization: `Bearer ${dashboard.key}` },
  })
  expect(withKey.status).toBe(401)
  const other = await dashboard.makeProject('Other')
  const stranger = await dashboard.invite(other.id, 'owner', { name: 'owner', email: 'stranger@example.com' })
  for (const path of [transcript, transcript.replace(dashboard.projectId, other.id)]) {
    const response = await dashboard.call('GET', path, { cookie: stranger.cookie })
    expect([response.status, await response.json()]).toEqual([404, { error: 'Not found.' }])
  }
  const missing = await dashboard.openPage(at(`job_${'0'.repeat(26)}`))
  await missing.page.getByRole('heading', { name: 'Page not found' }).waitFor()
  expect(await missing.page.getByTestId('timeline-step').count()).toBe(0)
  await missing.close()
})
