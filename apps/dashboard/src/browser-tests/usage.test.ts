import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkVariants } from './test-support/check-screen.ts'
import { endJobWith, toAddedFile } from './test-support/end-job-with.ts'
import { openDashboard, type TestDashboard } from './test-support/open-dashboard.ts'

let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await openDashboard({ idle: true })
})
afterAll(() => dashboard?.close())

const usage = () => `/projects/${dashboard.projectId}/usage`

test('shows the jobs, pull requests and costs of the project to its owners, with a table', async () => {
  const first = await dashboard.openPage(usage())
  await first.page.getByText('No jobs were created in this period.').first().waitFor()
  await checkVariants(first.page)
  first.expectClean()
  await first.close()
  for (const state of ['open', 'merged', 'closed'] as const) {
    const { id } = await dashboard.createJob()
    const number = { open: 1, merged: 2, closed: 3 }[state]
    const pullRequest = { number, url: `https://github.com/acme/docs/pull/${number}`, branch: id, state, draft: false }
    await endJobWith(dashboard.database, id, { files: [toAddedFile('a.md', ['a'])], pullRequest })
    const { prisma } = dashboard.database
    // The database allows no other way to change the cost of a job that has ended.
    await prisma.$transaction([
      prisma.$executeRaw`SET LOCAL session_replication_role = replica`,
      prisma.job.update({ where: { id }, data: { costUsd: 0.5 } }),
    ])
  }
  await dashboard.createJob()
  const watched = await dashboard.openPage(usage())
  const { page } = watched
  const metric = (name: string) => page.locator('.metric').filter({ hasText: name })
  await metric('Merge rate').getByText('50%').waitFor()
  await metric('Merge rate').getByText('1 merged, 1 closed, 1 open').waitFor()
  await metric('Model cost').getByText('$1.50').waitFor()
  expect(await page.getByRole('img', { name: /Jobs per day, by outcome, .*at most 4/ }).count()).toBe(1)
  await page.getByText('Show as a table').click()
  const cells = await page.getByTestId('usage-day').locator('td').allTextContents()
  expect(cells).toEqual([new Date().toISOString().slice(0, 10), '3', '0', '0', '0', '0', '1', '$1.50'])
  await page.getByTestId('usage-row').filter({ hasText: 'Test key' }).waitFor()
  await checkVariants(page)
  await page.getByRole('link', { name: '90 days' }).click()
  await page.waitForURL('**/usage?days=90')
  await page.getByText('in the last 90 days').waitFor()
  watched.expectClean()
  await watched.close()
})

test('a member does not see the page in the navigation, and its address shows nothing', async () => {
  const as = await dashboard.invite(dashboard.projectId, 'member')
  const watched = await dashboard.openPage(usage(), { as })
  const { page } = watched
  await page.getByText('Only owners can see the usage of a project.').waitFor()
  expect(await page.getByRole('link', { name: 'Usage' }).count()).toBe(0)
  watched.expectClean()
  await watched.close()
})
