import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkScreen } from './test-support/check-screen.ts'
import { OPERATOR, openDashboard, type SignedIn, type TestDashboard } from './test-support/open-dashboard.ts'

let dashboard: TestDashboard
/** The accounts that the first test makes anew. */
let operator: SignedIn
beforeAll(async () => {
  dashboard = await openDashboard({ idle: true })
}, 120_000)
afterAll(() => dashboard?.close())

const jobs = () => `/projects/${dashboard.projectId}/jobs`

test('the first visit makes the first account, and a second visit finds the sign-in', async () => {
  await dashboard.database.prisma.user.deleteMany()
  const watched = await dashboard.openPage(jobs(), { as: null })
  const { page } = watched
  await page.waitForURL('**/setup')
  await page.getByLabel('Name').fill(OPERATOR.name)
  await page.getByLabel('Email').fill(OPERATOR.email)
  await page.getByLabel('Password').fill(OPERATOR.password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(`**${jobs()}`)
  await page.getByRole('link', { name: 'Operations' }).waitFor()
  await page.goto(`${dashboard.url}/setup`)
  await page.waitForURL(`**${jobs()}`)
  watched.expectClean()
  await watched.close()
  operator = await dashboard.signIn(OPERATOR.email, OPERATOR.password)
}, 60_000)

test('signing in over plain http: what is wrong is said, the session stays, and the page that was wanted is shown', async () => {
  const watched = await dashboard.openPage(`/projects/${dashboard.projectId}/keys`, { as: null })
  const { page } = watched
  await page.waitForURL(/\/sign-in\?next=/)
  await page.getByLabel('Email').fill(OPERATOR.email)
  await page.getByLabel('Password').fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').filter({ hasText: /wrong/ }).waitFor()
  await page.getByLabel('Password').fill(OPERATOR.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`**/projects/${dashboard.projectId}/keys`)
  await page.reload()
  await page.getByRole('heading', { name: 'API keys' }).waitFor()

  await page.getByRole('link', { name: 'Account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/sign-in')
  await page.goto(`${dashboard.url}${jobs()}`)
  await page.waitForURL(/\/sign-in/)
  watched.expectClean()
  await watched.close()
}, 60_000)

test('a session that is ended elsewhere ends here: the next question leads to the sign-in', async () => {
  const other = await dashboard.signIn(OPERATOR.email, OPERATOR.password)
  const theirs = await dashboard.openPage(jobs(), { as: other })
  await theirs.page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor()
  const watched = await dashboard.openPage('/account', { as: operator })
  const { page } = watched
  await page.getByTestId('session-row').filter({ hasText: 'This browser' }).waitFor()
  await page.getByRole('button', { name: 'End all other sessions' }).click()
  await expect.poll(() => page.getByTestId('session-row').count()).toBe(1)
  await theirs.page.getByRole('link', { name: 'API keys' }).click()
  await theirs.page.waitForURL(/\/sign-in\?next=/)
  await page.getByLabel('Name').fill('Olive O.')
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect.poll(() => page.getByTestId('announcer').textContent()).toBe('Your name is saved.')
  for (const one of [watched, theirs]) {
    one.expectClean()
    await one.close()
  }
}, 60_000)

test('people come by a link, which works once; their role says what they may, and changes at once', async () => {
  const watched = await dashboard.openPage(`/projects/${dashboard.projectId}/members`, { as: operator })
  const { page } = watched
  await page.getByRole('button', { name: 'Invite' }).click()
  await page.getByLabel('Role').selectOption('viewer')
  await page.getByRole('button', { name: 'Create link' }).click()
  const link = await page.getByLabel('Invitation link').inputValue()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Close without copying' }).click()
  await page.getByTestId('invitation-row').waitFor()

  const path = new URL(link).pathname
  const guest = await dashboard.openPage(path, { as: null })
  await guest.page.getByRole('heading', { name: 'Join Tidewater docs' }).waitFor()
  await guest.page.getByLabel('Name').fill('Vera Viewer')
  await guest.page.getByLabel('Email').fill('vera@example.com')
  await guest.page.getByLabel('Password').fill('a long enough password')
  await guest.page.getByRole('button', { name: 'Create account and join' }).click()
  await guest.page.waitForURL(`**${jobs()}`)
  await guest.page.getByRole('heading', { name: 'No jobs yet' }).waitFor()
  expect(await guest.page.getByRole('link', { name: 'Operations' }).count()).toBe(0)
  expect(await guest.page.getByRole('link', { name: 'Create a job' }).count()).toBe(0)

  const again = await dashboard.openPage(path, { as: null })
  await again.page.getByRole('heading', { name: 'This invitation cannot be used' }).waitFor()
  await again.close()

  await page.reload()
  const row = page.getByTestId('member-row').filter({ hasText: 'vera@example.com' })
  await row.getByLabel('Role of Vera Viewer').selectOption('member')
  await page.getByText('Vera Viewer is member now.').first().waitFor()
  await guest.page.reload()
  await guest.page.getByRole('link', { name: 'Create a job' }).waitFor()
  await row.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await row.waitFor({ state: 'detached' })
  await guest.page.reload()
  await guest.page.getByRole('heading', { name: 'There is nothing here' }).waitFor()
  for (const one of [watched, guest]) {
    one.expectClean()
    await one.close()
  }
}, 90_000)

test('a project is made by an operator; the chosen theme stays; the last project is where one begins', async () => {
  const watched = await dashboard.openPage('/projects', { as: operator })
  const { page } = watched
  await page.getByRole('button', { name: 'Create project' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create project' })
  await dialog.getByLabel('Name').fill('Second docs')
  await dialog.getByLabel('Repository').fill(dashboard.host.repositoryUrl('tidewater/docs'))
  await dialog.getByRole('button', { name: 'Create project' }).click()
  await page.waitForURL('**/welcome')
  const second = new URL(page.url()).pathname.split('/')[2]
  await page.getByRole('button', { name: 'Theme' }).click()
  await page.getByRole('menuitem', { name: 'Dark' }).click()
  const background = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor')
  expect(await background()).toBe('rgb(16, 18, 21)')
  await page.goto(`${dashboard.url}/`)
  await page.waitForURL(`**/projects/${second}/jobs`)
  expect(await background()).toBe('rgb(16, 18, 21)')
  await page.getByRole('button', { name: /Second docs/ }).click()
  await page.getByRole('menuitem', { name: 'Tidewater docs' }).click()
  await page.waitForURL(`**${jobs()}`)
  watched.expectClean()
  await watched.close()
}, 60_000)

test('on a phone the navigation is behind a button and folds when one goes elsewhere', async () => {
  const watched = await dashboard.openPage(jobs(), { as: operator, width: 360 })
  const { page } = watched
  const link = page.getByRole('link', { name: 'Members' })
  await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor()
  expect(await link.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Menu' }).click()
  await link.click()
  await page.waitForURL('**/members')
  expect(await link.isVisible()).toBe(false)
  watched.expectClean()
  await watched.close()
}, 60_000)

test('both themes, three widths', async () => {
  const screens = [
    ['/sign-in', 'Sign in', null],
    ['/invitations/unknown', 'This invitation cannot be used', null],
    ['/account', 'Account', operator],
    ['/projects', 'Projects', operator],
    [`/projects/${dashboard.projectId}/members`, 'Members', operator],
    ['/projects/nowhere/jobs', 'There is nothing here', operator],
  ] as const
  for (const [at, name, as] of screens) {
    await checkScreen(dashboard, at, (page) => page.getByRole('heading', { name, exact: true }).waitFor(), as)
  }
}, 180_000)
