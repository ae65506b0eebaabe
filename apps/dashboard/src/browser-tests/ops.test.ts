import { recordHeartbeat } from '@corrigenda/core/workers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkVariants } from './test-support/check-screen.ts'
import { failRefetch } from './test-support/fail-refetch.ts'
import { ADMIN, openDashboard, type TestDashboard } from './test-support/open-dashboard.ts'

let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await openDashboard()
})
afterAll(() => dashboard?.close())

test('the Operations page shows workers, the queue, failures with their latest job, quota usage and versions', async () => {
  const { id } = await dashboard.createJob(undefined, { ref: 'no-such-branch' })
  const { status, failure: cause } = await dashboard.ended(id)
  expect(status).toBe('failed')
  const { page, expectClean, close } = await dashboard.openPage('/')
  await page.getByRole('link', { name: 'Operations', exact: true }).click()
  const worker = page.getByTestId('worker-row')
  await worker.getByText('Online').waitFor()
  expect(await worker.textContent()).toContain('Rehearsal model')
  expect(await page.getByTestId('rate-row').textContent()).toContain('Tidewater docs1 of 100')
  expect(await page.getByTestId('no-worker').count()).toBe(0)
  await page.getByText('None pending').waitFor()
  await checkVariants(page)
  const failure = page.getByTestId('failure-row')
  expect(await failure.textContent()).toContain(cause?.code)
  await failure.getByRole('link', { name: id }).click()
  await page.waitForURL(`**/projects/${dashboard.projectId}/jobs/${id}`)
  expectClean()
  await close()
})

test('admins can open the queue board; other users get 404 for all operations pages', async () => {
  const { page, expectClean, close } = await dashboard.openPage('/ops')
  await page.getByRole('link', { name: 'Queue board' }).click()
  await page.getByText('agent-runs').or(page.getByText('runs')).first().waitFor()
  expectClean()
  await close()

  const member = await dashboard.invite(dashboard.projectId, 'owner')
  const asked = async (cookie?: string) =>
    Promise.all(
      ['/dashboard/api/ops', '/ops/queues/', '/ops/queues/api/queues', '/ops/queues/static/favicon.ico'].map(
        async (at) => (await dashboard.call('GET', at, cookie ? { cookie } : {})).status,
      ),
    )
  expect(await asked(member.cookie)).toEqual([404, 404, 404, 404])
  expect(await asked()).toEqual([401, 401, 401, 401])
  const bearer = await fetch(`${dashboard.url}/dashboard/api/ops`, {
    headers: { authorization: `Bearer ${dashboard.key}` },
  })
  expect(bearer.status).toBe(401)

  const foreign = await dashboard.makeProject('Other docs')
  const askProgress = async (id: string, cookie = member.cookie) =>
    (await dashboard.call('GET', `/dashboard/api/projects/${id}/welcome`, { cookie })).status
  expect([await askProgress(dashboard.projectId), await askProgress(foreign.id), await askProgress('none')]).toEqual([
    200, 404, 404,
  ])
  expect(await askProgress(foreign.id, '')).toBe(401)

  const other = await dashboard.openPage('/ops', { as: member })
  await other.page.getByRole('heading', { name: 'Page not found' }).waitFor()
  expect(await other.page.getByRole('link', { name: 'Operations', exact: true }).count()).toBe(0)
  other.expectClean()
  await other.close()
})

test('“Create GitHub App” opens a page that posts the manifest to the Git host, and the result is shown when the user returns', async () => {
  const { page, expectClean, close } = await dashboard.openPage('/ops')
  const block = page.getByRole('region', { name: 'GitHub App' })
  await block.getByLabel('Organization').fill('tidewater')
  await block.getByRole('button', { name: 'Create GitHub App' }).click()
  await page.getByRole('heading', { name: 'Create GitHub App' }).waitFor()
  const action = await page.locator('form').getAttribute('action')
  expect(action).toContain(`${dashboard.host.url}/organizations/tidewater/settings/apps/new?state=`)
  // When the user returns, the page shows the result. It never shows unknown codes from the URL.
  for (const [code, words] of [
    ['made', 'GitHub App created.'],
    ['state_unknown', 'no GitHub App was saved'],
    ['exchange_failed', "did not return the GitHub App's keys"],
  ]) {
    await page.goto(`${dashboard.url}/ops?githubApp=${code}`)
    await page
      .getByTestId('github-app-notice')
      .filter({ hasText: words ?? '' })
      .waitFor()
  }
  await page.goto(`${dashboard.url}/ops?githubApp=%3Cb%3Ehello`)
  await page.getByTestId('worker-row').waitFor()
  expect(await page.getByTestId('github-app-notice').count()).toBe(0)
  // What the page shows stays when it cannot be refetched.
  await block.getByLabel('Organization').fill('tidewater')
  await failRefetch(page, /\/(people|github-app)$/)
  expect(await block.getByLabel('Organization').inputValue()).toBe('tidewater')
  expect(await page.getByRole('table', { name: 'Users' }).getByText(ADMIN.email).count()).toBe(1)
  for (const name of ['GitHub App', 'Users']) {
    await page.getByRole('region', { name }).getByText('The refetch failed.').waitFor()
  }
  expectClean()
  await close()
})

test('a banner with the start command appears while no worker is running', async () => {
  const { page, expectClean, close } = await dashboard.openPage('/ops')
  await page.getByTestId('worker-row').waitFor()
  const banner = page.getByRole('alert').filter({ hasText: 'No worker is running' })
  // A killed worker leaves its row behind. The test sets the time of the row's last heartbeat.
  await recordHeartbeat(dashboard.database, {
    id: 'killed',
    host: 'gone',
    pid: 1,
    version: '0.1.0',
    slots: 1,
    busy: 1,
    queue: 'postgres',
    modelKind: 'rehearsal',
    modelBaseUrl: 'http://127.0.0.1:1',
    models: [],
  })
  const { prisma } = dashboard.database
  await prisma.$executeRaw`UPDATE workers SET seen_at = now() + interval '1 hour' WHERE id = 'killed'`
  await dashboard.stopWorkers()
  await dashboard.createJob()
  await page.getByText('Jobs waiting for a worker').waitFor()
  expect(await banner.count()).toBe(0)
  await prisma.$executeRaw`UPDATE workers SET seen_at = now() - interval '11 s' WHERE id = 'killed'`
  await banner.waitFor()
  expect(await banner.textContent()).toMatch(/1 job is waiting.*corrigenda worker/s)
  await page.getByTestId('worker-row').getByText('Offline').waitFor()
  await dashboard.work()
  await banner.waitFor({ state: 'detached' })
  expectClean()
  await close()
})
