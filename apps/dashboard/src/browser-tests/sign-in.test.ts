import { type OidcProvider, startOidcProvider } from '@corrigenda/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkVariants } from './test-support/check-screen.ts'
import { ADMIN, openDashboard, type TestDashboard } from './test-support/open-dashboard.ts'

const ADA = { sub: 'u-1', email: 'ada@example.com', email_verified: true, name: 'Ada Elsewhere' }

let dashboard: TestDashboard
let provider: OidcProvider
beforeAll(async () => {
  dashboard = await openDashboard({ idle: true })
  const redirectUri = `${dashboard.url}/dashboard/api/auth/callback/oidc`
  provider = await startOidcProvider({ redirectUri, profile: ADA })
  await dashboard.restartApi(undefined, {
    PUBLIC_URL: dashboard.url,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    OIDC_NAME: 'Acme',
    GITHUB_OAUTH_CLIENT_ID: 'gh-client',
    GITHUB_OAUTH_CLIENT_SECRET: 'gh-secret',
    SIGN_IN_ALLOWED_EMAILS: '@example.com',
  })
})
afterAll(async () => {
  await dashboard?.close()
  await provider?.close()
})

type Watched = Awaited<ReturnType<TestDashboard['openPage']>>

/** Expects no problems and no requests to hosts other than the service and the provider. */
function expectCleanBut({ foreign, problems }: Watched): void {
  expect([...problems, ...foreign.filter((url) => !url.startsWith(provider.issuer))]).toEqual([])
}

/** Backdates all sessions, so that they no longer count as recent sign-ins. */
const grow = () => dashboard.database.prisma.$executeRaw`UPDATE sessions SET created_at = now() - interval '1 day'`

/** Allows requests to the provider. */
const allow = ({ context }: Watched) => context.route(`${provider.issuer}/**`, (route) => route.continue())

test('signing in with a provider returns to the requested page and shows provider errors', async () => {
  const watched = await dashboard.openPage('/account', { as: null })
  const { page } = watched
  await page.waitForURL(/\/sign-in\?next=/)
  expect(await page.getByRole('link', { name: 'Continue with GitHub' }).getAttribute('href')).toMatch(/sign-in\/github/)
  await checkVariants(page)
  provider.fault = 'nonce'
  await page.getByRole('link', { name: 'Continue with Acme' }).click()
  await page.getByRole('alert').filter({ hasText: 'Sign-in with that provider failed' }).waitFor()
  expect(new URL(page.url()).searchParams.get('next')).toBe('/account')
  provider.fault = null
  await page.getByRole('link', { name: 'Continue with Acme' }).click()
  await page.waitForURL('**/account')
  await page.getByText(ADA.email).first().waitFor()
  expectCleanBut(watched)

  // The only sign-in method can be unlinked only after a password is set.
  const row = page.getByTestId('provider-row').filter({ hasText: 'Acme' })
  await row.getByRole('button', { name: 'Unlink Acme' }).click()
  await page
    .getByRole('alert')
    .filter({ hasText: /only sign-in method/ })
    .waitFor()
  await grow()
  await page.getByLabel('New password').fill('a long enough password')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByRole('dialog', { name: 'Sign in again' }).getByRole('link', { name: 'Continue with Acme' }).click()
  await page.waitForURL('**/account')
  await page.getByLabel('New password').fill('a long enough password')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByLabel('Current password').waitFor()
  await row.getByRole('button', { name: 'Unlink Acme' }).click()
  await row.getByText('Not linked').waitFor()
  await watched.close()
})

test('linking a provider requires the password again, and the linked provider signs in the same user', async () => {
  provider.profile = { ...ADA, sub: 'u-2', email: 'olive@elsewhere.example' }
  const watched = await dashboard.openPage('/account')
  await allow(watched)
  const { page } = watched
  await grow()
  const row = page.getByTestId('provider-row').filter({ hasText: 'Acme' })
  await row.getByRole('button', { name: 'Link Acme' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm your identity' })
  await dialog.getByLabel('Your password').fill('not the password')
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await dialog.getByRole('alert').waitFor()
  await dialog.getByLabel('Your password').fill(ADMIN.password)
  await dialog.getByRole('button', { name: 'Confirm' }).click()
  await row.getByText(/^Linked/).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Continue with Acme' }).click()
  await page.getByRole('link', { name: 'Account' }).click()
  await page.getByText(ADMIN.email).first().waitFor()
  expectCleanBut(watched)
  await watched.close()
})

test('grants admin access, refuses to remove it from the last admin, and deletes an account', async () => {
  const { email, password } = ADMIN
  const admin = await dashboard.signIn(email, password)
  const second = { name: 'Sam Second', email: 'second@example.com' }
  const invited = await dashboard.invite(dashboard.projectId, 'member', second, admin)
  const watched = await dashboard.openPage('/ops', { as: admin })
  const { page } = watched
  const row = (text: string) => page.getByTestId('user-row').filter({ hasText: text })
  const choose = async (of: string, entry: string) => {
    await row(of)
      .getByRole('button', { name: /^More actions for/ })
      .click()
    await page.getByRole('menuitem', { name: entry }).click()
  }
  await row(email).getByText('Admin', { exact: true }).waitFor()
  expect(await row(email).textContent()).toContain('password, Acme')
  await choose(email, 'Remove admin access')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove admin access' }).click()
  await page.getByRole('dialog').getByRole('alert').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await choose(second.email, 'Make admin')
  await checkVariants(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Make admin' }).click()
  await row(second.email).getByText('Admin', { exact: true }).waitFor()
  // Granting or removing admin access ends the user's sessions.
  expect((await dashboard.call('GET', '/dashboard/api/account', { cookie: invited.cookie })).status).toBe(401)
  const again = await dashboard.signIn(second.email, ADMIN.password)
  expect(again.session.user?.isAdmin).toBe(true)

  const theirs = await dashboard.openPage('/account', { as: again })
  const draft = `corrigenda-draft:${again.session.user?.id}:${dashboard.projectId}:new-job`
  await theirs.page.evaluate(`localStorage.setItem('${draft}', '{"prompt":"A secret plan"}')`)
  await theirs.page.getByRole('button', { name: 'Delete account' }).click()
  const confirm = theirs.page.getByRole('button', { name: 'Delete permanently' })
  expect(await confirm.isDisabled()).toBe(true)
  await theirs.page.getByLabel('Type your email address').fill(second.email)
  await grow()
  await confirm.click()
  await theirs.page.getByLabel('Your password').fill(ADMIN.password)
  await theirs.page.getByRole('button', { name: 'Confirm' }).click()
  await theirs.page.waitForURL('**/sign-in')
  expect(await theirs.page.evaluate(`localStorage.getItem('${draft}')`)).toBeNull()
  await page.reload()
  await row(email).waitFor()
  expect(await row(second.email).count()).toBe(0)
  await page.getByRole('link', { name: 'Account' }).click()
  await page.getByText('You are the only admin.').waitFor()
  for (const one of [watched, theirs]) {
    one.expectClean()
    await one.close()
  }
})

test('returns to a page outside the dashboard application after signing in', async () => {
  const watched = await dashboard.openPage('/ops/queues/', { as: null })
  const { page } = watched
  await page.waitForURL(/\/sign-in\?next=/)
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/ops/queues/**')
  expectCleanBut(watched)
  await watched.close()
})

test('creating the first account requires the setup token from the log if the public URL is not local', async () => {
  await dashboard.database.prisma.project.deleteMany()
  await dashboard.database.prisma.user.deleteMany()
  await dashboard.restartApi(undefined, { PUBLIC_URL: 'http://docs.internal.example' })
  const line = dashboard.lines.findLast((text) => text.includes('use this token')) ?? ''
  const token = /token: ([\w-]+)/.exec(line)?.[1] ?? ''
  expect(token.length).toBeGreaterThan(20)
  const watched = await dashboard.openPage('/', { as: null })
  const { page } = watched
  await page.waitForURL('**/setup')
  await page.getByLabel('Setup token').waitFor()
  await checkVariants(page)
  await page.getByLabel('Setup token').fill(`${token.slice(0, -1)}x`)
  await page.getByLabel('Name').fill(ADMIN.name)
  await page.getByLabel('Email').fill(ADMIN.email)
  await page.getByLabel('Password').fill(ADMIN.password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('alert').waitFor()
  expect(await dashboard.database.prisma.user.count()).toBe(0)
  await page.getByLabel('Setup token').fill(` ${token} `)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('link', { name: 'Operations' }).waitFor()
  watched.expectClean()
  await watched.close()
})
