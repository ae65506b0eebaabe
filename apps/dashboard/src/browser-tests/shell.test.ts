import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkVariants } from './test-support/check-screen.ts'
import { ADMIN, openDashboard, type SignedIn, type TestDashboard } from './test-support/open-dashboard.ts'

let dashboard: TestDashboard
/** The account that the first test recreates. */
let admin: SignedIn
beforeAll(async () => {
  dashboard = await openDashboard({ idle: true })
})
afterAll(() => dashboard?.close())

/** A single word that is wider than a phone screen. */
const LONG_NAME = `Olive${'olive'.repeat(18)}`

const VERA = `Vera${'vera'.repeat(22)}`

const jobs = () => `/projects/${dashboard.projectId}/jobs`

test('pages redirect to /setup until the first account exists', async () => {
  await dashboard.database.prisma.user.deleteMany()
  const watched = await dashboard.openPage(jobs(), { as: null })
  const { page } = watched
  await page.waitForURL('**/setup')
  await checkVariants(page)
  await page.getByLabel('Name').fill(ADMIN.name)
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL(`**${jobs()}`)
  await page.getByRole('link', { name: 'Operations' }).waitFor()
  await page.goto(`${dashboard.url}/setup`)
  await page.waitForURL(`**${jobs()}`)
  watched.expectClean()
  await watched.close()
  admin = await dashboard.signIn(ADMIN.email, ADMIN.password)
})

test('signing in over plain HTTP shows errors, keeps the session and opens the requested page', async () => {
  const watched = await dashboard.openPage(`/projects/${dashboard.projectId}/keys`, { as: null })
  const { page } = watched
  await page.waitForURL(/\/sign-in\?next=/)
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password').fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').filter({ hasText: /wrong/ }).waitFor()
  await page.getByLabel('Password').fill(ADMIN.password)
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
})

test('a browser whose session was ended elsewhere is redirected to the sign-in page on the next request', async () => {
  const other = await dashboard.signIn(ADMIN.email, ADMIN.password)
  const theirs = await dashboard.openPage(jobs(), { as: other })
  await theirs.page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor()
  const watched = await dashboard.openPage('/account', { as: admin })
  const { page } = watched
  await page.getByTestId('session-row').filter({ hasText: 'This browser' }).waitFor()
  await checkVariants(page)
  await page.getByRole('button', { name: 'End all other sessions' }).click()
  await expect.poll(() => page.getByTestId('session-row').count()).toBe(1)
  await theirs.page.getByRole('link', { name: 'API keys' }).click()
  await theirs.page.waitForURL(/\/sign-in\?next=/)
  await page.getByLabel('Name').fill(LONG_NAME)
  await page.getByRole('button', { name: 'Save name' }).click()
  await expect.poll(() => page.getByTestId('announcer').textContent()).toBe('Name saved.')
  for (const one of [watched, theirs]) {
    one.expectClean()
    await one.close()
  }
})

test('an invitation link works once, and role changes and removals take effect after a reload', async () => {
  const watched = await dashboard.openPage(`/projects/${dashboard.projectId}/members`, { as: admin })
  const { page } = watched
  await page.getByRole('button', { name: 'Invite member' }).click()
  await page.getByRole('radio', { name: 'Viewer' }).check()
  await page.getByRole('button', { name: 'Create link' }).click()
  const link = await page.getByLabel('Invitation link').inputValue()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Close without copying' }).click()
  await page.getByTestId('invitation-row').waitFor()
  await checkVariants(page)

  const path = new URL(link).pathname
  const guest = await dashboard.openPage(path, { as: null })
  await guest.page.getByRole('heading', { name: 'Join Tidewater docs' }).waitFor()
  await checkVariants(guest.page)
  await guest.page.getByLabel('Name').fill(VERA)
  await guest.page.getByLabel('Email').fill('vera@example.com')
  await guest.page.getByLabel('Password').fill('a long enough password')
  await guest.page.getByRole('button', { name: 'Create account and join' }).click()
  await guest.page.waitForURL(`**${jobs()}`)
  await guest.page.getByRole('heading', { name: 'No jobs yet' }).waitFor()
  expect(await guest.page.getByRole('link', { name: 'Operations' }).count()).toBe(0)
  expect(await guest.page.getByRole('main').getByRole('link', { name: 'New job' }).count()).toBe(0)

  const again = await dashboard.openPage(path, { as: null })
  await again.page.getByRole('heading', { name: 'This invitation is not valid' }).waitFor()
  await checkVariants(again.page)
  // Other errors do not mean that the invitation is not valid.
  await again.page.route('**/dashboard/api/invitations/*', (route) =>
    route.fulfill({ status: 429, json: { error: 'Too many requests.' } }),
  )
  await again.page.reload()
  await again.page.getByText('Too many requests.').waitFor()
  await checkVariants(again.page)
  expect(await again.page.getByText('This invitation is not valid').count()).toBe(0)
  await again.page.setViewportSize({ width: 360, height: 800 })
  expect((await again.page.getByRole('button', { name: 'Try again' }).boundingBox())?.height).toBe(44)
  await again.page.unrouteAll()
  await again.page.getByRole('button', { name: 'Try again' }).click()
  await again.page.getByRole('heading', { name: 'This invitation is not valid' }).waitFor()
  await again.close()

  await page.reload()
  const row = page.getByTestId('member-row').filter({ hasText: 'vera@example.com' })
  await row.waitFor()
  await checkVariants(page)
  await row.getByLabel(`Role of ${VERA}`).selectOption('member')
  await page.getByText(`${VERA}'s role is now Member.`).first().waitFor()
  await guest.page.reload()
  await guest.page.getByRole('main').getByRole('link', { name: 'New job' }).waitFor()
  await row.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await row.waitFor({ state: 'detached' })
  await guest.page.reload()
  await guest.page.getByRole('heading', { name: 'Page not found' }).waitFor()
  await checkVariants(guest.page)
  for (const one of [watched, guest]) {
    one.expectClean()
    await one.close()
  }
})

test('an admin creates a project, and the theme and last project persist across visits', async () => {
  const watched = await dashboard.openPage('/projects', { as: admin })
  const { page } = watched
  await page.getByRole('heading', { name: 'Projects' }).waitFor()
  await checkVariants(page)
  await page.getByRole('button', { name: 'Create project' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create project' })
  await dialog.getByLabel('Name').fill('Second docs')
  await dialog.getByLabel('Repository').fill(dashboard.host.repositoryUrl('tidewater/docs'))
  await dialog.getByRole('button', { name: 'Create project' }).click()
  await page.waitForURL('**/setup-guide')
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
})

test('an outdated page shows an update notice and keeps its input until the user reloads or navigates', async () => {
  const watched = await dashboard.openPage(`${jobs()}/new`, { as: admin, ignore: [/Failed to (fetch|load)/] })
  const { page } = watched
  await page.getByLabel('Prompt').fill('Half a thought')
  // A newer build removed this build's files.
  await page.route('**/assets/*', (route) => route.fulfill({ status: 404 }))
  await page.getByRole('link', { name: 'Members' }).hover()
  const notice = page.getByRole('region', { name: 'Update' })
  await notice.getByText('Corrigenda was updated.').waitFor()
  expect(await page.getByTestId('announcer').textContent()).toContain('Corrigenda was updated.')
  expect(await page.getByLabel('Prompt').inputValue()).toBe('Half a thought')
  await checkVariants(page)
  await page.unroute('**/assets/*')
  await page.evaluate('window.stayed = true')
  await notice.getByRole('button', { name: 'Reload' }).click()
  await page.waitForFunction('window.stayed === undefined')
  await page.getByLabel('Prompt').waitFor()
  expect(await notice.count()).toBe(0)
  // Navigation to a removed screen reloads the page once.
  let isGone = true
  await page.route('**/assets/*', (route) => (isGone ? route.fulfill({ status: 404 }) : route.continue()))
  page.once('framenavigated', () => {
    isGone = false
  })
  await page.getByRole('link', { name: 'Members' }).click()
  await page.getByRole('heading', { name: 'Members' }).waitFor()
  watched.expectClean()
  await watched.close()
})

test('dialogs trap and restore focus and close on Escape; the page has one polite live region', async () => {
  const watched = await dashboard.openPage(`/projects/${dashboard.projectId}/members`, { as: admin })
  const { page } = watched
  const opener = page.getByRole('button', { name: 'Invite member' })
  const dialog = page.getByRole('dialog', { name: 'Invite member' })
  await opener.focus()
  await page.keyboard.press('Enter')
  await dialog.waitFor()
  // Tab cycles through the dialog and never leaves it.
  for (let step = 0; step < 8; step += 1) {
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(`document.activeElement.closest('[role="dialog"]') !== null`)).toBe(true)
  }
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expect.poll(() => opener.evaluate((button) => document.activeElement === button)).toBe(true)
  expect(await page.locator('[aria-live="polite"]').count()).toBe(1)
  // The first Tab reaches the link that skips the navigation.
  await page.reload()
  await page.getByRole('heading', { name: 'Members' }).waitFor()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  expect(await page.evaluate('document.activeElement.id')).toBe('content')
  watched.expectClean()
  await watched.close()
})

test('on a phone, a button opens the navigation, and navigating collapses it', async () => {
  const watched = await dashboard.openPage(jobs(), { as: admin, width: 360 })
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
})
