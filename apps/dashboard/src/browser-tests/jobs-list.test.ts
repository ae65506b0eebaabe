import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { JobRequest } from '@corrigenda/contracts'
import type { Page } from '@corrigenda/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkVariants } from './test-support/check-screen.ts'
import { describeLoad, measureLoad } from './test-support/measure-load.ts'
import { openDashboard, type TestDashboard } from './test-support/open-dashboard.ts'

const MAX_LIST_BYTES = 250 * 1024
const MAX_JOB_BYTES = 350 * 1024

let dashboard: TestDashboard
/** Id of a job with changes. */
let done = ''
beforeAll(async () => {
  dashboard = await openDashboard({ settings: { MODEL_ALIASES: 'fast=m-2' } })
})
afterAll(() => dashboard?.close())

const at = () => `/projects/${dashboard.projectId}/jobs`
const rows = (page: Page) => page.getByTestId('job-row')
const row = (page: Page, jobId: string) => page.locator(`[data-job="${jobId}"]`)

test('an empty list shows a working command that creates a job, and new jobs appear and update live', async () => {
  const watched = await dashboard.openPage('/')
  const { page } = watched
  await page.getByRole('heading', { name: 'No jobs yet' }).waitFor()
  await checkVariants(page)
  const command = (await page.locator('pre').textContent()) ?? ''
  const loaded = await page.evaluate('performance.timeOrigin')
  const env = { PATH: process.env.PATH ?? '', CORRIGENDA_API_KEY: dashboard.key }
  const { stdout } = await promisify(execFile)('sh', ['-c', `${command} -sS`], { env })
  const { id } = JSON.parse(stdout) as { id: string }
  await row(page, id).waitFor()
  await row(page, id).getByTestId('status-badge').filter({ hasText: 'Needs review' }).waitFor()
  const before = performance.now()
  const job = await dashboard.createJob()
  done = job.id
  await row(page, job.id).waitFor()
  console.log(
    `a job created through the API appears in the open list after ${Math.round(performance.now() - before)} ms`,
  )
  await row(page, job.id).getByTestId('status-badge').filter({ hasText: 'Needs review' }).waitFor()
  await row(page, job.id).getByRole('link', { name: '#2' }).waitFor()
  expect(await page.getByTestId('announcer').textContent()).toMatch(/: (Active|Needs review)\./)
  expect(await page.evaluate('performance.timeOrigin')).toBe(loaded)
  await row(page, job.id).getByText('by Test key').waitFor()
  await checkVariants(page)
  const failing = await dashboard.createJob('Fix the typos.', { ref: 'no-such-branch' })
  await row(page, failing.id).getByTestId('status-badge').filter({ hasText: 'Failed' }).waitFor()
  watched.expectClean()
  await watched.close()
})

test('filters are stored in the URL, so that they survive a reload and can be shared as links', async () => {
  const watched = await dashboard.openPage(at())
  const { page } = watched
  await rows(page).first().waitFor()
  expect(await rows(page).count()).toBe(3)
  await page.getByRole('button', { name: /^Failed 1/ }).click()
  await page.waitForURL('**/jobs?status=failed')
  await expect.poll(() => rows(page).count()).toBe(1)
  await page.keyboard.press('f')
  await page.keyboard.type('no such words')
  await page.waitForURL(/status=failed&q=no(\+|%20)such(\+|%20)words/)
  await page.getByText('No jobs match this filter.').waitFor()
  await page.reload()
  expect(await page.getByRole('searchbox', { name: 'Search jobs' }).inputValue()).toBe('no such words')
  expect(await page.getByRole('button', { name: /^Failed/ }).getAttribute('aria-pressed')).toBe('true')
  await page.getByRole('button', { name: 'Show all' }).click()
  await expect.poll(() => rows(page).count()).toBe(3)
  expect(new URL(page.url()).search).toBe('?status=all')
  expect(await page.getByRole('searchbox', { name: 'Search jobs' }).inputValue()).toBe('')

  await page.goto(`${dashboard.url}${at()}?status=needs_review&q=DOCTOR`)
  await rows(page).first().waitFor()
  expect(await rows(page).getByTestId('status-badge').allTextContents()).toEqual(['Needs review'])
  watched.expectClean()
  await watched.close()
})

test('a narrow table hides optional columns in the header and in each row', async () => {
  // Columns without information are hidden.
  await dashboard.database.pool.query(
    `BEGIN; SET LOCAL session_replication_role = replica;
     UPDATE jobs SET model = 'm-2', cost_usd = 1.5 WHERE id = '${done}'; COMMIT`,
  )
  const watched = await dashboard.openPage(at())
  const { page } = watched
  await rows(page).first().waitFor()
  const marked = page.locator('.jobs-list [data-hide-below]')
  expect(await marked.count()).toBe(2 * (1 + (await rows(page).count())))
  const countShown = async () => (await marked.filter({ visible: true }).count()) / (await marked.count())
  await page.setViewportSize({ width: 1500, height: 900 })
  await expect.poll(countShown).toBe(1)
  await page.setViewportSize({ width: 1280, height: 900 })
  await expect.poll(countShown).toBe(0)
  await watched.close()
}, 60_000)

test('keyboard shortcuts select rows, open jobs, navigate and show the shortcut list', async () => {
  const watched = await dashboard.openPage(at())
  const { page } = watched
  await rows(page).first().waitFor()
  const second = await rows(page).nth(1).getAttribute('data-job')
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  expect(await page.locator('tr[data-selected]').getAttribute('data-job')).toBe(second)
  await page.keyboard.press('k')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.waitForURL(`**/jobs/${second}`)
  await page.keyboard.press('g')
  await page.keyboard.press('k')
  await page.waitForURL('**/keys')
  await page.keyboard.press('g')
  await page.keyboard.press('j')
  await page.waitForURL('**/jobs')
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await sheet.getByText('Go to API keys').waitFor()
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await page.keyboard.press('n')
  await page.waitForURL('**/jobs/new')
  watched.expectClean()
  await watched.close()
})

test('the New job form has a control for each request field', async () => {
  const watched = await dashboard.openPage(`${at()}/new`)
  const { page } = watched
  await page.getByLabel('Prompt').fill('Rename it.')
  await page.getByRole('button', { name: 'Options' }).click()
  // The sources are shown if the project has some (sources.test.ts).
  for (const field of Object.keys(JobRequest.shape).filter((name) => name !== 'sources')) {
    expect(await page.locator(`form [name="${field}"]`).count(), field).toBe(1)
  }
  await checkVariants(page)
  await page.getByLabel('Model', { exact: true }).selectOption('m-2 (fast)')
  const texts = { 'Base branch': 'next', Title: 'T', 'New branch': 'docs/x', Labels: 'one\n\ntwo, three' }
  for (const [label, text] of Object.entries(texts)) await page.getByLabel(label, { exact: true }).fill(text)
  await page.getByLabel('Open the pull request as a draft').check()
  await page.getByLabel('Reject this job if another job with the same prompt').check()
  await page.getByLabel('Metadata').fill('ticket')
  await page.getByRole('button', { name: 'Create job' }).click()
  await page.getByText('"ticket" must have the form NAME=VALUE.').waitFor()
  await page.getByLabel('Metadata').fill('ticket=D-1')
  await page.getByRole('button', { name: 'Show curl' }).click()
  const body = /-d '(.*)'$/.exec((await page.locator('pre').textContent()) ?? '')?.[1] ?? ''
  expect(JSON.parse(body)).toEqual({
    prompt: 'Rename it.',
    model: 'm-2',
    ref: 'next',
    draft: true,
    branch: 'docs/x',
    title: 'T',
    dedupe: true,
    labels: ['one', 'two, three'],
    metadata: { ticket: 'D-1' },
  })
  watched.expectClean()
  await watched.close()
})

test("the New job form shows the project's defaults and can override them", async () => {
  const projectId = dashboard.projectId
  const settings = { policy: { draft: true, dedupe: true } }
  await dashboard.database.prisma.project.update({ where: { id: projectId }, data: { settings } })
  const watched = await dashboard.openPage(`${at()}/new`)
  const { page } = watched
  await page.getByLabel('Prompt').fill('Rename it.')
  await page.getByRole('button', { name: 'Show curl' }).click()
  expect(await page.locator('pre').textContent()).toContain(`-d '{"prompt":"Rename it."}'`)
  await page.getByLabel('Open the pull request as a draft').uncheck()
  await page.getByRole('button', { name: 'Options' }).click()
  await page.getByLabel('Reject this job if another job with the same prompt').uncheck()
  expect(await page.locator('pre').textContent()).toContain(`-d '{"prompt":"Rename it.","draft":false,"dedupe":false}'`)
  await dashboard.database.prisma.project.update({ where: { id: projectId }, data: { settings: {} } })
  watched.expectClean()
  await watched.close()
})

test('the New job form rejects an empty prompt, submits on Ctrl+Enter, and shows when the quota allows the next job', async () => {
  const watched = await dashboard.openPage(`${at()}/new`)
  const { page } = watched
  const prompt = page.getByLabel('Prompt')
  await prompt.waitFor()
  await checkVariants(page)
  await prompt.fill('   ')
  await page.getByRole('button', { name: 'Create job' }).click()
  await page.getByText('Describe the change you want.').waitFor()
  await prompt.fill("Don't sing")
  await page.getByLabel('Open the pull request as a draft').check()
  await page.getByRole('button', { name: 'Show curl' }).click()
  expect(await page.locator('pre').textContent()).toContain(`{"prompt":"Don'\\''t sing","draft":true}`)
  await prompt.press('Control+Enter')
  await page.waitForURL(/\/jobs\/job_/)
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
  await page.getByText('by Olive Adams').waitFor()
  await page.goBack()
  // The project's quota is used up.
  await dashboard.database.pool.query(
    `INSERT INTO runs (id, job_id, project_id, seq, kind, prompt, active, ended_at)
     SELECT 'run_full_' || n, $1, $2, n, 'create', 'x', false, now() FROM generate_series(1000, 1100) AS n`,
    [id, dashboard.projectId],
  )
  await page.getByLabel('Prompt').fill('One more')
  await page.getByRole('button', { name: 'Create job' }).click()
  await page
    .getByRole('alert')
    .filter({ hasText: /Try again in \d/ })
    .waitFor()
  await dashboard.database.pool.query(`DELETE FROM runs WHERE id LIKE 'run_full_%'`)
  watched.expectClean()
  await watched.close()
})

test.each([
  ['jobs list', MAX_LIST_BYTES, () => at(), '[data-testid="job-row"]'],
  ['job page', MAX_JOB_BYTES, () => `${at()}/${done}`, '[data-testid="diff"]'],
])(
  'the first load of the %s transfers at most %i bytes of compressed script, with a layout shift below 0.1',
  async (name, limit, path, ready) => {
    const fresh = await dashboard.openPage(path())
    await fresh.page.locator(ready).first().waitFor()
    const metrics = await measureLoad(fresh.page)
    console.log(describeLoad(name, metrics))
    const scripts = await Promise.all(metrics.scripts.map(async (url) => (await fetch(url)).arrayBuffer()))
    const bytes = scripts.reduce((sum, script) => sum + gzipSync(Buffer.from(script)).length, 0)
    expect(scripts.length).toBeGreaterThan(1)
    expect(bytes).toBeLessThanOrEqual(limit)
    // The service compresses at least as well as gzip does here.
    expect(metrics.scriptBytes).toBeLessThanOrEqual(limit)
    expect(metrics.shift, metrics.moved.join('\n')).toBeLessThan(0.1)
    fresh.expectClean()
    await fresh.close()
  },
)

test('“Show older jobs” loads each older job once', async () => {
  await dashboard.stopWorkers()
  for (let batch = 0; batch < 5; batch += 1) {
    await Promise.all(Array.from({ length: 10 }, (_, index) => dashboard.createJob(`Job ${batch} ${index}`)))
  }
  const watched = await dashboard.openPage(at())
  const { page } = watched
  await rows(page).first().waitFor()
  expect(await rows(page).count()).toBe(50)
  // A job is created while the request for older jobs is in progress.
  await page.route(
    /jobs\?.*cursor=/,
    async (route) => {
      await dashboard.createJob('One more job')
      await sleep(1_500)
      await route.continue()
    },
    { times: 1 },
  )
  await page.getByRole('button', { name: 'Show older jobs' }).click()
  await row(page, done).waitFor()
  const all = await dashboard.database.prisma.job.count({ where: { projectId: dashboard.projectId } })
  await expect.poll(() => rows(page).count()).toBe(all)
  const ids = await rows(page).evaluateAll((shown) => shown.map((one) => one.dataset.job))
  expect(new Set(ids).size).toBe(all)
  expect(await page.getByRole('button', { name: 'Show older jobs' }).count()).toBe(0)
  watched.expectClean()
  await watched.close()
})
