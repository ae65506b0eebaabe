import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { EXAMPLE_PROMPT } from '@corrigenda/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkScreen } from './test-support/check-screen.ts'
import { openDashboard, type TestDashboard } from './test-support/open-dashboard.ts'

const run = promisify(execFile)
let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await openDashboard({ idle: true })
})
afterAll(() => dashboard?.close())

test('users can create a pull request without leaving the setup guide, and their progress survives a reload', async () => {
  const { id } = await dashboard.makeProject('New docs')
  const at = `/projects/${id}/setup-guide`
  const watched = await dashboard.openPage(at)
  const { page } = watched
  const step = (name: string) => page.getByTestId(`setup-guide-${name}`)
  await step('repository').getByText('Not checked').waitFor()
  await step('model').getByText('No worker', { exact: true }).waitFor()
  await step('key').getByText('Not created').waitFor()
  await step('job').getByText('Not created').waitFor()

  // The page shows a new worker without a reload.
  await dashboard.work()
  await step('model').getByText('Rehearsal', { exact: true }).waitFor()
  await step('repository').getByRole('button', { name: 'Check connection' }).click()
  await step('repository').getByText('Connected', { exact: true }).waitFor()

  // The next unfinished step is open.
  await step('key').getByLabel('Name').fill('backend')
  await step('key').getByRole('button', { name: 'Create key' }).click()
  const secret = await page.getByRole('dialog').getByLabel('API key').inputValue()
  expect(secret).toMatch(/^cgd_\w{51}$/)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Close without copying' }).click()
  await step('key').getByText('Created', { exact: true }).waitFor()

  await page.reload()
  await step('repository').getByText('Connected', { exact: true }).waitFor()
  await step('key').getByText('Created', { exact: true }).waitFor()
  expect(await page.content()).not.toContain(secret)
  expect(await step('job').getByLabel('Prompt').inputValue()).toBe(EXAMPLE_PROMPT)
  const shown =
    (await step('job').getByLabel('Command that creates a job and waits for it').locator('code').textContent()) ?? ''
  const sent = page.waitForRequest((request) => request.method() === 'POST' && request.url().endsWith('/job'))
  await step('job').getByRole('button', { name: 'Create job' }).click()
  expect((await sent).headers()['idempotency-key']).toMatch(/^\d/)
  await step('job').getByText('Done', { exact: true }).waitFor()
  await page.getByText('All set').waitFor()
  await step('job').getByRole('button').first().click()
  expect(await step('job').getByRole('link', { name: 'Pull request' }).getAttribute('href')).toMatch(/\/pull\/\d+$/)
  watched.expectClean()
  await watched.close()

  // The displayed command works once the key is inserted.
  const { stdout } = await run('bash', ['-c', shown.replace('cgd_…', secret)])
  expect(JSON.parse(stdout)).toMatchObject({ status: 'completed' })
  expect(await dashboard.database.prisma.job.count({ where: { projectId: id } })).toBe(2)
})

test('a viewer sees the progress but no actions that the service would reject', async () => {
  const { id } = await dashboard.makeProject('Quiet docs')
  const viewer = await dashboard.invite(id, 'viewer')
  const { page, expectClean, close } = await dashboard.openPage(`/projects/${id}/welcome`, { as: viewer })
  // The former path redirects to the current one.
  await page.waitForURL('**/setup-guide')
  await page.getByText('Only a project owner can connect the repository.').waitFor()
  for (const title of ['Create an API key', 'Create the first job'])
    await page.getByRole('button', { name: title }).click()
  for (const name of ['Check connection', 'Create key', 'Create job']) {
    expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
  }
  expectClean()
  await close()
})

test('the setup guide with all steps open is accessible and fits all widths in both themes', async () => {
  const { id } = await dashboard.makeProject('Open docs')
  await checkScreen(dashboard, `/projects/${id}/setup-guide`, async (page) => {
    for (const title of ['Connect a model', 'Create an API key', 'Create the first job']) {
      await page.getByRole('button', { name: title }).click()
    }
    await page.getByLabel('Prompt').waitFor()
  })
})

test('in demo mode, one click switches a project to the local repository', async () => {
  const { id } = await dashboard.makeProject('Elsewhere docs', 'https://github.com/acme/docs')
  const watched = await dashboard.openPage('/account')
  const { page } = watched
  // Only the demo flag in the session response is changed.
  await page.route('**/dashboard/api/session', async (route) => {
    const original = await route.fetch()
    await route.fulfill({ response: original, json: { ...(await original.json()), demo: true } })
  })
  await page.goto(`${dashboard.url}/projects/${id}/setup-guide`)
  await page.getByText('https://github.com/acme/docs').waitFor()
  await page.getByRole('button', { name: 'Use the demo repository' }).click()
  await page.getByText('This is the demo repository').waitFor()
  const { repositoryUrl } = await dashboard.database.prisma.project.findUniqueOrThrow({ where: { id } })
  expect(new URL(repositoryUrl).hostname).toBe('127.0.0.1')
  watched.expectClean()
  await watched.close()
})
