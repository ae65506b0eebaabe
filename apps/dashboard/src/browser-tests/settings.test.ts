import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkVariants } from './test-support/check-screen.ts'
import { openDashboard, type TestDashboard } from './test-support/open-dashboard.ts'

let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await openDashboard()
})
afterAll(() => dashboard?.close())

const open = () => dashboard.openPage(`/projects/${dashboard.projectId}/settings`)

test('saves repository, policy and budget settings, and explains invalid values', async () => {
  const { page, expectClean, close } = await open()
  const block = (name: string) => page.getByRole('region', { name, exact: true })
  await block('Repository').getByLabel('Name').fill('Tidewater handbook')
  await block('Repository').getByLabel('Base branch').fill('main')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Settings saved.', { exact: true }).first().waitFor()
  await page.getByText(/Last changed .* by Olive Adams/).waitFor()

  await block('Policy').getByLabel('Writable paths').fill('guides/**\nreference/**\n')
  await block('Policy').getByLabel('Forbidden paths').fill('guides/legal/**')
  await block('Policy').getByLabel('Files per change').fill('7')
  await block('Policy').getByLabel('Instructions', { exact: true }).fill('Write in British English.')
  await block('Policy').getByLabel('Open pull requests as drafts').check()
  await block('Policy')
    .getByLabel(/Co-authored-by/)
    .check()
  await block('Policy').getByLabel('Labels').fill('docs\nagent')
  await block('Policy').getByLabel('Languages', { exact: true }).selectOption('some')
  await block('Policy').getByLabel('Writable translations').fill('de\npt-BR')
  await block('Policy')
    .getByLabel(/CODEOWNERS/)
    .check()
  await block('Policy').getByLabel('Maximum open pull requests').fill('5')
  await block('Policy')
    .getByLabel(/same prompt and base branch/)
    .check()
  await block('Policy').getByLabel('Title pattern').fill('no placeholder')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await block('Policy')
    .getByText(/\{title\}.*\.$/)
    .first()
    .waitFor()
  expect(await block('Policy').getByLabel('Title pattern').getAttribute('aria-invalid')).toBe('true')
  await block('Policy').getByLabel('Title pattern').fill('docs: {title}')
  await block('Budgets').getByLabel('Turns', { exact: true }).fill('12')
  await block('Budgets').getByLabel('Cost in USD').fill('0.75')
  await page.getByRole('button', { name: 'Save changes' }).click()

  const read = async () => {
    const at = `/dashboard/api/projects/${dashboard.projectId}/settings`
    return (await dashboard.call('GET', at, { cookie: dashboard.admin.cookie })).json()
  }
  await expect.poll(read).toMatchObject({
    name: 'Tidewater handbook',
    baseBranch: 'main',
    policy: {
      writable: ['guides/**', 'reference/**'],
      forbidden: ['guides/legal/**'],
      maxFiles: 7,
      maxLines: null,
      draft: true,
      coAuthoredBy: true,
      labels: ['docs', 'agent'],
      locales: ['de', 'pt-BR'],
      codeownersReviewers: true,
      maxOpenPullRequests: 5,
      dedupe: true,
      titlePattern: 'docs: {title}',
      instructions: 'Write in British English.',
    },
    budgets: { maxTurns: 12, maxCostUsd: 0.75, maxSeconds: null },
  })
  // A page that is reloaded before the response arrives keeps the changes as a draft.
  await page.getByRole('region', { name: 'Unsaved changes' }).waitFor({ state: 'detached' })
  await page.reload()
  expect(await block('Policy').getByLabel('Writable paths').inputValue()).toBe('guides/**\nreference/**')
  expect(await block('Policy').getByLabel('Open pull requests as drafts').isChecked()).toBe(true)
  expect(await block('Policy').getByLabel('Writable translations').inputValue()).toBe('de\npt-BR')
  expect(
    await block('Policy')
      .getByLabel(/CODEOWNERS/)
      .isChecked(),
  ).toBe(true)
  await block('Policy').getByLabel('Languages', { exact: true }).selectOption('source-only')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.poll(read).toMatchObject({ policy: { locales: 'source-only', dedupe: true } })
  expect(await block('Budgets').getByLabel('Turns', { exact: true }).inputValue()).toBe('12')
  await page
    .getByRole('button', { name: 'Tidewater handbook' })
    .or(page.getByText('Tidewater handbook'))
    .first()
    .waitFor()
  await block('Budgets').getByLabel('Turns', { exact: true }).fill('')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.poll(read).toMatchObject({ budgets: { maxTurns: null, maxCostUsd: 0.75 } })
  expectClean()
  await close()
})

test('unsaved settings survive navigation and a reload, are saved or discarded together, and show errors at the fields', async () => {
  const { id } = await dashboard.makeProject('Draft docs')
  const { page, expectClean, close } = await dashboard.openPage(`/projects/${id}/settings`)
  const bar = page.getByRole('region', { name: 'Unsaved changes' })
  const read = async () =>
    (await dashboard.call('GET', `/dashboard/api/projects/${id}/settings`, { cookie: dashboard.admin.cookie })).json()
  await page.getByLabel('Turns', { exact: true }).fill('12')
  expect(await page.getByRole('button', { name: /^Save/ }).count()).toBe(1)
  await page.getByLabel('Deploy with').selectOption('hook')
  await page.getByLabel('Hook URL').fill('https://hooks.example.com/secret')
  await page.getByRole('textbox', { name: 'Base branch' }).fill('next')
  await bar.getByText('4 unsaved changes').waitFor()
  await page.getByRole('link', { name: 'Members' }).click()
  await page.getByRole('heading', { name: 'Members' }).waitFor()
  await page.goBack()
  // A hook URL can contain a secret, so that only it is not kept.
  await bar.getByText('3 unsaved changes').waitFor()
  await page.reload()
  await bar.getByText('3 unsaved changes').waitFor()
  expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('hooks.example.com')
  await page.getByLabel('Deploy with').selectOption('none')
  await bar.getByText('2 unsaved changes').waitFor()
  // Errors of the browser's and of the service's rules are at the fields.
  await page.getByLabel('Turns', { exact: true }).fill('0')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText('Enter a number from 1 to 1,000.').waitFor()
  expect(await page.evaluate('document.activeElement.getAttribute("aria-invalid")')).toBe('true')
  await page.getByLabel('Turns', { exact: true }).fill('7')
  await page.getByLabel('Writable paths').fill('docs/**\n/etc/**')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByText(/^Line 2: /).waitFor()
  await bar.getByText('1 field has an error.').waitFor()
  await checkVariants(page)
  expect(await read()).toMatchObject({ baseBranch: null, budgets: { maxTurns: null } })
  await page.getByLabel('Writable paths').fill('')
  // Another owner changes another field meanwhile.
  await dashboard.call('PATCH', `/dashboard/api/projects/${id}/settings`, {
    cookie: dashboard.admin.cookie,
    body: { policy: { maxFiles: 9 } },
  })
  await page.getByRole('button', { name: 'Save changes' }).click()
  await bar.waitFor({ state: 'detached' })
  expect(await read()).toMatchObject({ baseBranch: 'next', budgets: { maxTurns: 7 }, policy: { maxFiles: 9 } })
  await page.getByLabel('Turns', { exact: true }).fill('8')
  await bar.getByText('1 unsaved change', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Discard' }).click()
  expect(await page.getByLabel('Turns', { exact: true }).inputValue()).toBe('7')
  await page.reload()
  await page.getByLabel('Turns', { exact: true }).waitFor()
  expect([await page.getByLabel('Turns', { exact: true }).inputValue(), await bar.count()]).toEqual(['7', 0])
  expectClean()
  await close()
})

test("the connection check names a token's missing permission, and the token is never shown", async () => {
  const { id } = await dashboard.makeProject('Broken docs')
  const token = dashboard.host.addToken({ contents: 'read' })
  const { page, expectClean, close } = await dashboard.openPage(`/projects/${id}/settings`)
  await page.getByTestId('credential').getByText("workers' environment").waitFor()
  await page.getByRole('button', { name: 'Add token' }).click()
  await page.getByLabel('Access token', { exact: true }).fill(token)
  await page.getByRole('button', { name: 'Save token' }).click()
  await page.getByTestId('credential').getByText(token.slice(-4)).waitFor()
  // Saving the token has started the check.
  const result = page.getByTestId('connection-test')
  await result.getByText('The connection does not work yet.').waitFor()
  await result.getByText('Contents: read and write').waitFor()
  expect(await page.getByTestId('step-push_allowed').textContent()).toContain('Failed')
  await page.reload()
  await page.getByTestId('credential').getByText(token.slice(-4)).waitFor()
  expect(await page.content()).not.toContain(token)

  await page.getByRole('button', { name: 'Remove token' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove token' }).click()
  await page.getByTestId('credential').getByText("workers' environment").waitFor()
  await page.getByTestId('connection-test').getByText('The connection works.').waitFor()
  await page.getByRole('textbox', { name: 'Base branch' }).fill('absent')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await page.getByTestId('step-base_branch').getByText('The branch absent does not exist.').waitFor()
  await page.getByRole('textbox', { name: 'Base branch' }).fill('')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await result.getByText('The connection works.').waitFor()
  await page.getByRole('button', { name: 'Check connection' }).click()
  await result.getByText('The connection works.').waitFor()
  expectClean()
  await close()
})

test('deletes a project only after its name is typed', async () => {
  const { id } = await dashboard.makeProject('Old docs')
  const { page, expectClean, close } = await dashboard.openPage(`/projects/${id}/settings`)
  await page.getByRole('button', { name: 'Delete project' }).click()
  const confirm = page.getByRole('button', { name: 'Delete permanently' })
  expect(await confirm.isDisabled()).toBe(true)
  await page.getByLabel('Type the project name to confirm').fill('old docs')
  expect(await confirm.isDisabled()).toBe(true)
  await page.keyboard.press('Enter')
  expect(await dashboard.database.prisma.project.count({ where: { id, deletedAt: null } })).toBe(1)
  await page.getByLabel('Type the project name to confirm').fill('Old docs')
  await confirm.click()
  await page.waitForURL('**/projects')
  expect(await dashboard.database.prisma.project.count({ where: { id, deletedAt: null } })).toBe(0)
  expectClean()
  await close()
})
