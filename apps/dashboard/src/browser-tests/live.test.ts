import { claimRun, finishRun } from '@corrigenda/core/runs'
import type { Page } from '@corrigenda/testkit'
import { expectAccessible, expectNoSideScroll } from '@corrigenda/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkVariants } from './test-support/check-screen.ts'
import { endJobWith, toAddedFile } from './test-support/end-job-with.ts'
import { openDashboard, type TestDashboard } from './test-support/open-dashboard.ts'

const RULES = { leaseSeconds: 600, maxAttempts: 10, projectConcurrency: 100 }
/** The browser logs requests that fail while the service is down. */
const ignore = [/Failed to load resource/, /net::ERR/]

let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await openDashboard({ idle: true })
})
afterAll(() => dashboard?.close())

const jobs = () => `/projects/${dashboard.projectId}/jobs`
const rows = (page: Page) => page.getByTestId('job-row')
const bar = (page: Page) => page.getByTestId('connection-bar')
const badge = (page: Page) => page.locator('.attention-link').filter({ visible: true })

/** Ends a queued job, as a worker does. */
async function end(jobId: string, outcome: 'needs_input' | 'no_changes'): Promise<void> {
  const { database } = dashboard
  const { id: runId } = await database.prisma.run.findFirstOrThrow({ where: { jobId, active: true } })
  const fence = await claimRun({ ...database, ...RULES }, { owner: 'test', runId })
  if (!fence) throw new Error(`the run of ${jobId} cannot be claimed`)
  await finishRun(database, fence, { kind: outcome, summary: 'Which page?', checks: [] })
}

test('a lost connection keeps the list and the filter and shows a bar, until the service is back', async () => {
  await dashboard.createJob('Mention whales')
  await dashboard.createJob('Mention squid')
  const { page, close } = await dashboard.openPage(jobs(), { ignore })
  await rows(page).first().waitFor()
  await dashboard.restartApi(async () => {
    const lost = performance.now()
    await bar(page).getByText('Connection lost.').waitFor()
    console.log(`the bar appears ${Math.round(performance.now() - lost)} ms after the service has stopped`)
    expect(await page.getByTestId('announcer').textContent()).toContain('Connection lost.')
    await page.getByRole('searchbox').fill('whales')
    await page.waitForURL(/q=whales/)
    await page.getByText('The list shows the previous filter').waitFor()
    expect(await rows(page).count()).toBe(2)
    expect(await page.getByRole('searchbox').inputValue()).toBe('whales')
    expect(await page.getByRole('alert').count()).toBe(0)
    await checkVariants(page)
  })
  await bar(page).waitFor({ state: 'detached' })
  await expect.poll(() => rows(page).count()).toBe(1)
  await page.getByText('1 of 1 job').waitFor()
  await close()
})

test.each(['jobs', 'settings', 'keys'])(
  'the page %s reports that the browser is offline, and recovers',
  async (name) => {
    const { page, context, close } = await dashboard.openPage(`/projects/${dashboard.projectId}/${name}`, { ignore })
    await page.locator('h1').waitFor()
    await context.setOffline(true)
    await bar(page).waitFor()
    expect(await page.locator('h1').count()).toBe(1)
    await page.setViewportSize({ width: 360, height: 800 })
    await expectNoSideScroll(page)
    await expectAccessible(page)
    await context.setOffline(false)
    await bar(page).waitFor({ state: 'detached' })
    await close()
  },
)

test('the navigation shows how many jobs wait for a person, except to viewers', async () => {
  const [first, second] = [await dashboard.createJob('One'), await dashboard.createJob('Two')]
  await end(first.id, 'needs_input')
  const viewer = await dashboard.invite(dashboard.projectId, 'viewer')
  const watched = await dashboard.openPage(`/projects/${dashboard.projectId}/settings`)
  const other = await dashboard.openPage(jobs(), { as: viewer })
  await badge(watched.page).filter({ hasText: '1' }).waitFor()
  await end(second.id, 'needs_input')
  await badge(watched.page).filter({ hasText: '2' }).waitFor()
  // A question whose pull request was merged cannot be answered.
  const { id: merged } = await dashboard.createJob('Three')
  await endJobWith(dashboard.database, merged, { files: [toAddedFile('a.md', ['a'])] })
  await fetch(`${dashboard.url}/v2/agent/${dashboard.projectId}/job/${merged}/message`, {
    method: 'POST',
    headers: { authorization: `Bearer ${dashboard.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ prompt: 'And this' }),
  })
  await end(merged, 'needs_input')
  await badge(watched.page).filter({ hasText: '3' }).waitFor()
  await dashboard.database.prisma.job.update({ where: { id: merged }, data: { prState: 'merged' } })
  await watched.page.reload()
  await badge(watched.page).filter({ hasText: '2' }).waitFor()
  await checkVariants(watched.page)
  await watched.page.setViewportSize({ width: 360, height: 800 })
  await badge(watched.page).filter({ hasText: '2' }).waitFor()
  await watched.page.setViewportSize({ width: 1280, height: 800 })
  await watched.page.getByRole('link', { name: 'Needs input: 2' }).click()
  await watched.page.waitForURL(/\?status=needs_review(,|%2C)needs_input(,|%2C)failed/)
  await expect.poll(() => rows(watched.page).count()).toBe(2)
  for (const { id } of [first, second]) {
    const headers = { authorization: `Bearer ${dashboard.key}` }
    await fetch(`${dashboard.url}/v2/agent/${dashboard.projectId}/job/${id}/archive`, { method: 'POST', headers })
  }
  await badge(watched.page).waitFor({ state: 'detached' })
  await rows(other.page).first().waitFor()
  expect(await badge(other.page).count()).toBe(0)
  watched.expectClean()
  await watched.close()
  await other.close()
})

/** Records the notifications of the page. */
const RECORD = `{
  const Real = Notification
  window.shown = []
  window.Notification = class extends Real {
    constructor(title, options) { super(title, options); window.shown.push({ title, options, one: this }) }
  }
}`
const listShown = (page: Page) => page.evaluate('window.shown.map(({ title }) => title)')

test('the browser notifies when a watched job ends, also after a reload and while the page is hidden', async () => {
  const job = await dashboard.createJob('Watch me')
  const { page, context, close, expectClean } = await dashboard.openPage(jobs())
  await context.grantPermissions(['notifications'], { origin: dashboard.url })
  await context.addInitScript(RECORD)
  await page.reload()
  const button = page.locator(`[data-job="${job.id}"]`).getByRole('button', { name: 'Notify me when it ends' })
  await button.click()
  await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true')
  await page.goto(`${dashboard.url}${jobs()}/${job.id}`)
  const same = page.getByRole('button', { name: 'Notify me when it ends' })
  await same.waitFor()
  expect(await same.getAttribute('aria-pressed')).toBe('true')
  await page.goto(`${dashboard.url}/projects/${dashboard.projectId}/keys`)
  await page.evaluate(`{
    Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' })
    document.dispatchEvent(new Event('visibilitychange'))
  }`)
  await end(job.id, 'no_changes')
  await expect.poll(() => listShown(page)).toEqual(['No changes: Watch me'])
  expect(await page.evaluate(`localStorage.getItem('corrigenda-watched-jobs')`)).toBe('[]')
  await page.evaluate('window.shown[0].one.onclick()')
  await page.waitForURL(`**/jobs/${job.id}`)
  await page.locator('.job-page').waitFor()
  expect(await same.count()).toBe(0)
  expectClean()
  await close()
})

test('a browser whose pages cannot show notifications does not promise them, and a toast reports the end', async () => {
  const job = await dashboard.createJob('Watch me on Android')
  const { page, context, close, expectClean } = await dashboard.openPage(`${jobs()}/${job.id}`)
  await context.grantPermissions(['notifications'], { origin: dashboard.url })
  const button = page.getByRole('button', { name: 'Notify me when it ends' })
  await button.click()
  await expect.poll(() => button.getAttribute('aria-pressed')).toBe('true')
  await page.evaluate(`window.Notification = class {
    static permission = 'granted'
    static requestPermission = async () => 'granted'
    constructor() { throw new TypeError('Illegal constructor.') }
  }`)
  await end(job.id, 'no_changes')
  await page.locator('.toast').filter({ hasText: 'No changes: Watch me on Android' }).waitFor()
  const next = await dashboard.createJob('Watch me, as well')
  await page.getByRole('link', { name: 'Jobs', exact: true }).first().click()
  const other = page.locator(`[data-job="${next.id}"]`).getByRole('button', { name: 'Notify me when it ends' })
  await other.click()
  await page.locator('.toast').filter({ hasText: 'Notifications require' }).waitFor()
  expect(await other.getAttribute('aria-pressed')).toBe('false')
  expectClean()
  await close()
})

test('a message says that notifications are blocked', async () => {
  const job = await dashboard.createJob('Watch me, too')
  const { page, close } = await dashboard.openPage(`${jobs()}/${job.id}`)
  const button = page.getByRole('button', { name: 'Notify me when it ends' })
  await button.click()
  await page.locator('.toast').filter({ hasText: 'Your browser blocks notifications' }).waitFor()
  expect(await button.getAttribute('aria-pressed')).toBe('false')
  await close()
})

test('the page of a missing job links to the jobs of the project', async () => {
  const { page, close } = await dashboard.openPage(`${jobs()}/job_00000000000000000000000000`)
  await page.getByRole('link', { name: 'Go to the jobs of this project' }).click()
  await rows(page).first().waitFor()
  await close()
})
