import { type OidcProvider, startOidcProvider } from '@corrigenda/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkVariants } from './test-support/check-screen.ts'
import { openDashboard, type TestDashboard } from './test-support/open-dashboard.ts'

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
    OIDC_ADMIN_GROUPS: 'platform-operations',
    OIDC_GROUP_ROLES: `documentation-writers=${dashboard.projectId}:member`,
  })
})
afterAll(async () => {
  await dashboard?.close()
  await provider?.close()
})

test('rights from groups are marked, and the pages do not offer to remove them', async () => {
  const enter = async (groups: unknown) => {
    provider.profile = { ...ADA, groups }
    const watched = await dashboard.openPage('/', { as: null })
    await watched.context.route(`${provider.issuer}/**`, (route) => route.continue())
    await watched.page.getByRole('link', { name: 'Continue with Acme' }).click()
    return watched
  }
  const refused = await enter({ name: 'documentation-writers' })
  await refused.page.getByRole('alert').filter({ hasText: 'a valid list of your groups' }).waitFor()
  await refused.close()

  const ada = await enter(['documentation-writers', 'platform-operations'])
  await ada.page.getByRole('link', { name: 'Operations' }).waitFor()
  await ada.close()

  const watched = await dashboard.openPage(`/projects/${dashboard.projectId}/members`)
  const { page } = watched
  const member = page.getByTestId('member-row').filter({ hasText: ADA.email })
  await member.getByText('from group documentation-writers').waitFor()
  expect(await member.getByRole('button', { name: 'Remove' }).count()).toBe(0)
  await checkVariants(page)
  // A higher role can be given without the group.
  const roles = member.getByRole('combobox')
  expect(await roles.getByRole('option').allTextContents()).toEqual(['Member', 'Owner'])
  await roles.selectOption('owner')
  await member.getByText('Member from group documentation-writers').waitFor()

  await page.goto(`${dashboard.url}/ops`)
  const user = page.getByTestId('user-row').filter({ hasText: ADA.email })
  await user.getByText('Admin from group platform-operations').waitFor()
  await checkVariants(page)
  await user.getByRole('button', { name: /^More actions for/ }).click()
  expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Delete account'])
  watched.expectClean()
  await watched.close()
})
