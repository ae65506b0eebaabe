import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkVariants } from './test-support/check-screen.ts'
import { openDashboard, type TestDashboard } from './test-support/open-dashboard.ts'

let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await openDashboard({ idle: true })
})
afterAll(() => dashboard?.close())

test('owners see and export the acts of their project, filtered', async () => {
  const owner = await dashboard.invite(dashboard.projectId, 'owner', { name: 'Ada', email: 'ada@example.com' })
  const settings = `/dashboard/api/projects/${dashboard.projectId}/settings`
  const body = { name: 'Harbour docs', budgets: { maxTurns: 12 } }
  expect((await dashboard.call('PATCH', settings, { cookie: owner.cookie, body })).status).toBe(200)
  const other = await dashboard.makeProject('Other')
  const watched = await dashboard.openPage(`/projects/${dashboard.projectId}/jobs`, { as: owner })
  const { page } = watched
  await page.getByRole('link', { name: 'Audit log' }).click()
  const rows = page.getByTestId('audit-row')
  await rows.filter({ hasText: 'Ada changed the project settings' }).waitFor()
  expect(await rows.filter({ hasText: 'created the project Other' }).count()).toBe(0)
  await rows.first().getByRole('button', { name: 'Details' }).click()
  await page.getByText('budgets.maxTurns').waitFor()
  await page.getByText('Harbour docs').first().waitFor()
  await checkVariants(page)

  await page.getByLabel('Event').selectOption({ label: 'Key: created' })
  await page.waitForURL(/action=key\.created/)
  await rows.filter({ hasText: 'Ada changed' }).waitFor({ state: 'detached' })
  expect(await rows.count()).toBe(1)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download JSON Lines' }).click(),
  ])
  const lines = (await readFile(await download.path(), 'utf8')).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).action)).toEqual(['key.created'])
  await page.getByLabel('From').fill('2001-01-01')
  await page.getByLabel('To', { exact: true }).fill('2001-01-02')
  await page.getByText('No events match this filter').waitFor()
  await page.getByRole('button', { name: 'Show all events' }).click()
  await rows.filter({ hasText: 'Ada changed' }).waitFor()

  // A value is used once it has been typed. The caret stays where it is.
  const asked: string[] = []
  page.on('request', (request) => {
    const { searchParams } = new URL(request.url())
    const value = searchParams.get('actor') ?? searchParams.get('since')
    if (request.url().includes('/audit-events') && value !== null) asked.push(value)
  })
  await page.getByLabel('Actor ID').pressSequentially('usr_one')
  await page.keyboard.press('Home')
  for (let n = 0; n < 4; n += 1) await page.keyboard.press('ArrowRight')
  await page.keyboard.type('no-')
  expect(await page.getByLabel('Actor ID').inputValue()).toBe('usr_no-one')
  await page.keyboard.press('Enter')
  await page.waitForURL(/actor=usr_no-one/)
  await page.getByText('No events match this filter').waitFor()
  expect([asked.at(-1), asked.length < 4]).toEqual(['usr_no-one', true])
  await page.getByLabel('Actor ID').fill('')
  await page.waitForURL((url) => url.search === '')
  const day = page.getByLabel('From')
  await day.focus()
  asked.length = 0
  await page.keyboard.type('01312026', { delay: 20 })
  expect(await day.inputValue()).toBe('2026-01-31')
  await page.waitForURL(/from=2026-01-31/)
  await rows.filter({ hasText: 'Ada changed' }).waitFor()
  expect(asked.map((time) => Number.parseInt(time, 10)).every((year) => year >= 2026)).toBe(true)
  // A day that is not complete is removed when the field loses the focus.
  await day.fill('0020-01-31')
  await page.getByLabel('Actor ID').focus()
  await expect.poll(() => day.inputValue()).toBe('2026-01-31')
  watched.expectClean()
  await watched.close()

  const foreign = await dashboard.call('GET', `/dashboard/api/projects/${other.id}/audit-events`, {
    cookie: owner.cookie,
  })
  expect(foreign.status).toBe(404)
})

test('members have no link to the audit log, and admins see the acts on the instance', async () => {
  const member = await dashboard.invite(dashboard.projectId, 'member', { name: 'Mel', email: 'mel@example.com' })
  const at = `/projects/${dashboard.projectId}/audit`
  const watched = await dashboard.openPage(at, { as: member })
  await watched.page.getByText('Only owners can see the audit log.').waitFor()
  expect(await watched.page.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
  watched.expectClean()
  await watched.close()

  const admin = await dashboard.openPage('/ops')
  await admin.page.getByRole('main').getByRole('link', { name: 'Audit log' }).click()
  await admin.page.getByText('Mel signed in').waitFor()
  await admin.page.getByText('created the project Other').waitFor()
  await checkVariants(admin.page)
  admin.expectClean()
  await admin.close()
})
