import { createSignInLink } from '@corrigenda/core/accounts'
import { COMMAND_LINE } from '@corrigenda/core/audit'
import { deriveSecrets } from '@corrigenda/core/instance'
import { type OidcProvider, startOidcProvider } from '@corrigenda/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkVariants } from './test-support/check-screen.ts'
import { ADMIN, openDashboard, SECRET, type TestDashboard } from './test-support/open-dashboard.ts'

const OLIVE = { sub: 'u-1', email: ADMIN.email, email_verified: true, name: ADMIN.name }

let dashboard: TestDashboard
let provider: OidcProvider
beforeAll(async () => {
  dashboard = await openDashboard({ idle: true })
  const redirectUri = `${dashboard.url}/dashboard/api/auth/callback/oidc`
  provider = await startOidcProvider({ redirectUri, profile: OLIVE })
  await dashboard.restartApi(undefined, {
    PUBLIC_URL: dashboard.url,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: provider.clientId,
    OIDC_CLIENT_SECRET: provider.clientSecret,
    OIDC_NAME: 'Acme',
    PASSWORD_SIGN_IN: 'false',
  })
})
afterAll(async () => {
  await dashboard?.close()
  await provider?.close()
})

type Watched = Awaited<ReturnType<TestDashboard['openPage']>>

const allow = ({ context }: Watched) => context.route(`${provider.issuer}/**`, (route) => route.continue())

test('with passwords turned off, no page offers one, and a sign-in link lets the admin link a provider', async () => {
  // The admin's session was started with a password, so it has ended.
  const watched = await dashboard.openPage('/account')
  await allow(watched)
  const { page } = watched
  await page.waitForURL(/\/sign-in\?next=/)
  await page.getByRole('link', { name: 'Continue with Acme' }).waitFor()
  expect(await page.getByLabel('Password').count()).toBe(0)
  await checkVariants(page)
  await page.getByRole('link', { name: 'Continue with Acme' }).click()
  await page.getByRole('alert').filter({ hasText: 'Ask an admin for a sign-in link' }).waitFor()

  const { prisma } = dashboard.database
  const { authKey } = deriveSecrets(SECRET)
  const { token } = await createSignInLink({ prisma, authKey, audit: COMMAND_LINE }, { email: ADMIN.email })
  await page.goto(`${dashboard.url}/sign-in/link#${token}`)
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  await checkVariants(page)
  expect(await prisma.signInLink.count()).toBe(1)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('link', { name: 'Account' }).click()
  await page.getByRole('heading', { name: 'Linked accounts' }).waitFor()
  expect(await page.getByRole('heading', { name: 'Password' }).count()).toBe(0)
  await checkVariants(page)
  await page.getByRole('button', { name: 'Link Acme' }).click()
  const row = page.getByTestId('provider-row').filter({ hasText: 'Acme' })
  await row.getByText(/^Linked/).waitFor()
  await page.goto(`${dashboard.url}/ops`)
  const user = page.getByTestId('user-row').filter({ hasText: ADMIN.email })
  expect(await user.textContent()).not.toContain('password')

  await page.goto(`${dashboard.url}/sign-in/link#${token}`)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').filter({ hasText: 'invalid, used or expired' }).waitFor()
  expect(watched.problems).toEqual([])
  await watched.close()
})

test('the first admin sets the service up with the setup token and a provider', async () => {
  const { prisma } = dashboard.database
  await prisma.project.deleteMany()
  await prisma.user.deleteMany()
  // A proxy is trusted, so that requests from this machine also need the token.
  await dashboard.restartApi(undefined, { TRUST_PROXY: '1', OIDC_ADMIN_GROUPS: 'ops' })
  const line = dashboard.lines.findLast((text) => text.includes('use this token')) ?? ''
  const token = /token: ([\w-]+)/.exec(line)?.[1] ?? ''
  const watched = await dashboard.openPage('/', { as: null })
  await allow(watched)
  const { page } = watched
  await page.waitForURL('**/setup')
  await page.getByLabel('Setup token').fill('wrong')
  expect(await page.getByLabel('Password').count()).toBe(0)
  await page.getByText('Members of an admin group can sign in with Acme without the token.').waitFor()
  await page.getByRole('button', { name: 'Continue with Acme' }).click()
  await page.getByRole('alert').filter({ hasText: 'The setup token is wrong' }).waitFor()
  await checkVariants(page)
  await page.getByLabel('Setup token').fill(` ${token} `)
  await page.getByRole('button', { name: 'Continue with Acme' }).click()
  await page.getByRole('link', { name: 'Operations' }).waitFor()
  expect(await prisma.user.findMany()).toMatchObject([{ email: ADMIN.email, isAdmin: true }])
  await watched.close()
})
