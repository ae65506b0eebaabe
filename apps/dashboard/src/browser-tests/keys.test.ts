import type { Page } from '@corrigenda/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkVariants } from './test-support/check-screen.ts'
import { openDashboard, type TestDashboard } from './test-support/open-dashboard.ts'

let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await openDashboard({ idle: true })
})
afterAll(() => dashboard?.close())

const at = () => `/projects/${dashboard.projectId}/keys`
const row = (page: Page, name: string) => page.getByTestId('key-row').filter({ hasText: name })

/** Returns the status of a request with this key. */
const ask = async (key: string) =>
  (await fetch(`${dashboard.url}/v1/me`, { headers: { authorization: `Bearer ${key}` } })).status

/** Creates a key. The dialog that shows the key stays open. */
async function makeKey(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create key' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Create key' }).click()
  const secret = await page.getByRole('textbox', { name: 'New key' }).inputValue()
  expect(secret).toMatch(/^cgd_[0-9A-Za-z]{12}_[0-9A-Za-z]{38}$/)
  return secret
}

test('a key created in the dashboard works, is shown only once, and is rejected with 401 after it is revoked', async () => {
  const watched = await dashboard.openPage('/')
  const { page, context } = watched
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  const responses: string[] = []
  await page.getByRole('link', { name: 'API keys' }).click()
  const secret = await makeKey(page, 'Deploy robot')
  page.on('response', async (response) => {
    if (response.url().includes('/api/')) responses.push(await response.text().catch(() => ''))
  })
  expect(await ask(secret)).toBe(200)

  // Every way of closing the dialog without copying asks for confirmation. “Go back” shows the same
  // key.
  const dialog = page.getByRole('dialog', { name: 'Copy your new key' })
  const question = page.getByRole('dialog', { name: 'Close without copying?' })
  const ways = [
    () => page.keyboard.press('Escape'),
    () => dialog.getByRole('button', { name: 'Close' }).click(),
    () => dialog.getByRole('button', { name: 'Done' }).click(),
    () => page.mouse.click(5, 5),
  ]
  for (const close of ways) {
    await close()
    await question.getByRole('button', { name: 'Go back' }).click()
    expect(await page.getByRole('textbox', { name: 'New key' }).inputValue()).toBe(secret)
  }
  await page.keyboard.press('Escape')
  await question.waitFor()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
  await dialog.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })

  const part = secret.split('_')[2] ?? ''
  expect(await page.content()).not.toContain(part)
  await page.reload()
  await row(page, 'Deploy robot').getByText('by Olive Adams').waitFor()
  expect(await page.content()).not.toContain(part)
  expect(await row(page, 'Deploy robot').textContent()).toContain(secret.slice(0, 'cgd_'.length + 12))

  await row(page, 'Deploy robot').getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await row(page, 'Deploy robot').getByText('Revoked').waitFor()
  expect(await ask(secret)).toBe(401)
  expect(await row(page, 'Deploy robot').getByRole('button').count()).toBe(0)

  expect(responses.length).toBeGreaterThan(2)
  expect([...responses, ...dashboard.lines].filter((text) => text.includes(part))).toEqual([])
  watched.expectClean()
  await watched.close()
})

test('after a rotation, the old key stays valid for the selected grace period', async () => {
  const watched = await dashboard.openPage(at())
  const { page } = watched
  const rotate = async (name: string, grace: string) => {
    await row(page, name).getByRole('button', { name: 'Rotate' }).first().click()
    const dialog = page.getByRole('dialog', { name: `Rotate “${name}”` })
    await dialog.getByLabel('Old key').selectOption({ label: grace })
    await dialog.getByRole('button', { name: 'Rotate' }).click()
    const secret = await page.getByRole('textbox', { name: 'New key' }).inputValue()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Close without copying' }).click()
    return secret
  }
  await row(page, 'Test key').waitFor()
  await checkVariants(page)
  await page.getByRole('button', { name: 'Create key' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('x')
  await checkVariants(page)
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const first = await makeKey(page, 'Nightly')
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Close without copying' }).click()
  const second = await rotate('Nightly', 'Keep valid for 15 minutes')
  expect([await ask(first), await ask(second)]).toEqual([200, 200])
  expect(await row(page, 'Nightly').filter({ hasText: 'Soon' }).count()).toBe(1)
  const third = await rotate('Nightly', 'Revoke now')
  expect([await ask(second), await ask(third)]).toEqual([401, 200])
  watched.expectClean()
  await watched.close()
})

test('the API keys page shows viewers a notice and no “Create key” button', async () => {
  const viewer = await dashboard.invite(dashboard.projectId, 'viewer')
  const { page, expectClean, close } = await dashboard.openPage(at(), { as: viewer })
  await page.getByText('Your role is viewer.').waitFor()
  expect(await page.getByRole('button', { name: 'Create key' }).count()).toBe(0)
  expectClean()
  await close()
})
