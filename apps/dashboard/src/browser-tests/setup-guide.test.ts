import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkScreen } from './test-support/check-screen.ts'
import { openDashboard, PROMPT, type TestDashboard } from './test-support/open-dashboard.ts'

const run = promisify(execFile)
let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await openDashboard({ idle: true })
})
afterAll(() => dashboard?.close())

test('from nothing to a pull request without leaving the page; a reload loses nothing', async () => {
  const { id } = await dashboard.makeProject('New docs')
  const at = `/projects/${id}/setup-guide`
  const watched = await dashboard.openPage(at)
  const { page } = watched
  const step = (name: string) => page.getByTestId(`setup-guide-${name}`)
  await step('repository').getByText('Not tested').waitFor()
  await step('model').getByText('No worker', { exact: true }).waitFor()
  await step('key').getByText('None yet').waitFor()
  await step('job').getByText('None yet').waitFor()

  // The worker comes, and the page sees it by itself.
  await dashboard.work()
  await step('model').getByText('Rehearsal', { exact: true }).waitFor()
  await step('repository').getByRole('button', { name: 'Test connection' }).click()
  await step('repository').getByText('Connected', { exact: true }).waitFor()

  // The next step that is not done is open.
  await step('key').getByLabel('Name').fill('backend')
  await step('key').getByRole('button', { name: 'Create key' }).click()
  const secret = await page.getByRole('dialog').getByLabel('API key').inputValue()
  expect(secret).toMatch(/^cgd_\w{51}$/)
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Close without copying' }).click()
  await step('key').getByText('Made', { exact: true }).waitFor()

  await page.reload()
  await step('repository').getByText('Connected', { exact: true }).waitFor()
  await step('key').getByText('Made', { exact: true }).waitFor()
  expect(await page.content()).not.toContain(secret)
  expect(await step('job').getByLabel('Prompt').inputValue()).toBe(PROMPT)
  const shown =
    (await step('job').getByLabel('Command that creates a job and waits for it').locator('code').textContent()) ?? ''
  await step('job').getByRole('button', { name: 'Create job' }).click()
  await step('job').getByText('Done', { exact: true }).waitFor()
  await page.getByText('All set').waitFor()
  await step('job').getByRole('button').first().click()
  expect(await step('job').getByRole('link', { name: 'Pull request' }).getAttribute('href')).toMatch(/\/pull\/\d+$/)
  watched.expectClean()
  await watched.close()

  // The command that was shown runs as it stands, given the key.
  const { stdout } = await run('bash', ['-c', shown.replace('cgd_…', secret)])
  expect(JSON.parse(stdout)).toMatchObject({ status: 'completed' })
  expect(await dashboard.database.prisma.job.count({ where: { projectId: id } })).toBe(2)
})

test('a viewer sees how far it is and is offered nothing that would be refused', async () => {
  const { id } = await dashboard.makeProject('Quiet docs')
  const viewer = await dashboard.invite(id, 'viewer')
  const { page, expectClean, close } = await dashboard.openPage(`/projects/${id}/welcome`, { as: viewer })
  // The former path leads to the current one.
  await page.waitForURL('**/setup-guide')
  await page.getByText('An owner of the project connects it.').waitFor()
  for (const title of ['Make an API key', 'Post the first job']) await page.getByRole('button', { name: title }).click()
  for (const name of ['Test connection', 'Create key', 'Create job']) {
    expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
  }
  expectClean()
  await close()
})

test('all steps open, both themes, three widths', async () => {
  const { id } = await dashboard.makeProject('Open docs')
  await checkScreen(dashboard, `/projects/${id}/setup-guide`, async (page) => {
    for (const title of ['Have a model at work', 'Make an API key', 'Post the first job']) {
      await page.getByRole('button', { name: title }).click()
    }
    await page.getByLabel('Prompt').waitFor()
  })
})

test('in the demo, a project can be put on the local repository with one click', async () => {
  const { id } = await dashboard.makeProject('Elsewhere docs', 'https://github.com/acme/docs')
  const watched = await dashboard.openPage('/account')
  const { page } = watched
  // The service says that it is a demo, and all else is as it is.
  await page.route('**/dashboard/api/session', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, json: { ...(await answer.json()), demo: true } })
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
