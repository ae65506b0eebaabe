import type { Page } from '@corrigenda/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkVariants } from './test-support/check-screen.ts'
import { endJobWith, toAddedFile } from './test-support/end-job-with.ts'
import { failRefetch } from './test-support/fail-refetch.ts'
import { ADMIN, openDashboard, type TestDashboard } from './test-support/open-dashboard.ts'

let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await openDashboard({ idle: true })
})
afterAll(() => dashboard?.close())

const jobs = () => `/projects/${dashboard.projectId}/jobs`
const focused = (page: Page) => page.evaluate('document.activeElement?.name ?? document.activeElement?.tagName')
const listDrafts = (page: Page) =>
  page.evaluate(`Object.keys(localStorage).filter((name) => name.startsWith('corrigenda-draft:'))`) as Promise<string[]>

test('"n" focuses the prompt, and the draft survives navigation and a reload until the job is created', async () => {
  const watched = await dashboard.openPage(jobs())
  const { page } = watched
  await page.getByRole('heading', { name: 'Jobs', exact: true }).waitFor()
  await page.keyboard.press('n')
  await page.getByLabel('Prompt').waitFor()
  await expect.poll(() => focused(page)).toBe('prompt')
  await page.keyboard.type('Fix the links')
  await page.getByRole('button', { name: 'Options' }).click()
  await page.getByLabel('Title', { exact: true }).fill('Links')
  await page.getByRole('link', { name: 'Members' }).click()
  await page.getByRole('heading', { name: 'Members' }).waitFor()
  await page.goBack()
  await expect.poll(() => page.getByLabel('Prompt').inputValue()).toBe('Fix the links')
  await page.getByText('1 set').waitFor()
  await page.reload()
  await expect.poll(() => page.getByLabel('Prompt').inputValue()).toBe('Fix the links')
  await page.getByRole('button', { name: 'Options' }).click()
  expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Links')
  // On this page, the shortcut focuses the prompt.
  await page.getByRole('checkbox').first().focus()
  await page.keyboard.press('n')
  await expect.poll(() => focused(page)).toBe('prompt')
  expect(await page.getByRole('textbox', { name: 'Prompt' }).inputValue()).toBe('Fix the links')
  await checkVariants(page)
  const keys = page.getByText('Press Ctrl+Enter')
  expect(await keys.isVisible()).toBe(true)
  await page.setViewportSize({ width: 360, height: 800 })
  await expect.poll(() => keys.isVisible()).toBe(false)
  await page.setViewportSize({ width: 1280, height: 800 })
  // Another project has its own draft.
  const other = await dashboard.makeProject('Other docs')
  await page.goto(`${dashboard.url}/projects/${other.id}/jobs/new`)
  expect(await page.getByLabel('Prompt').inputValue()).toBe('')
  await page.goto(`${dashboard.url}${jobs()}/new`)
  await page.getByRole('button', { name: 'Create job' }).click()
  await page.waitForURL(/jobs\/job_/)
  expect(await listDrafts(page)).toEqual([])
  await page.keyboard.press('n')
  await page.getByLabel('Prompt').waitFor()
  expect(await page.getByLabel('Prompt').inputValue()).toBe('')
  watched.expectClean()
  await watched.close()
})

test('drafts are removed at sign-out, and another user of the browser does not get them', async () => {
  const user = await dashboard.invite(dashboard.projectId, 'member', { name: 'Mia', email: 'mia@example.com' })
  const watched = await dashboard.openPage(`${jobs()}/new`, { as: user })
  const { page, context } = watched
  await page.getByLabel('Prompt').fill('A secret plan')
  expect(await listDrafts(page)).toHaveLength(1)
  await page.getByRole('link', { name: 'Account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.waitForURL('**/sign-in')
  expect(await listDrafts(page)).toEqual([])
  // A session that ends without a sign-out.
  const again = await dashboard.signIn('mia@example.com', ADMIN.password)
  const use = async ({ cookie }: { cookie: string }) => {
    await context.clearCookies()
    const pairs = cookie.split('; ').map((pair) => pair.split(/=(.*)/s))
    await context.addCookies(pairs.map(([name = '', value = '']) => ({ name, value, url: dashboard.url })))
    await page.goto(`${dashboard.url}${jobs()}/new`)
  }
  await use(again)
  await page.getByLabel('Prompt').fill('A secret plan')
  await use(dashboard.admin)
  expect(await page.getByLabel('Prompt').inputValue()).toBe('')
  await expect.poll(() => listDrafts(page)).toEqual([])
  watched.expectClean()
  await watched.close()
})

test('"Edit and run again" fills the form with all options of the job, and keeps the other draft', async () => {
  const request = {
    ref: 'next',
    draft: true,
    branch: 'docs/links',
    title: 'Links',
    labels: ['docs'],
    metadata: { team: 'web' },
    model: 'm-2',
  }
  const { id } = await dashboard.createJob('Fix the old links', request)
  await endJobWith(dashboard.database, id, { files: [toAddedFile('a.md', ['a'])] })
  const watched = await dashboard.openPage(`${jobs()}/new`)
  const { page } = watched
  await page.getByLabel('Prompt').fill('Half a thought')
  await page.goto(`${dashboard.url}${jobs()}/${id}`)
  await page.getByRole('button', { name: 'Actions' }).click()
  await page.getByRole('menuitem', { name: 'Edit and run again' }).click()
  await expect.poll(() => page.getByLabel('Prompt').inputValue()).toBe('Fix the old links')
  await page.getByLabel('Prompt').fill('Fix the new links')
  await failRefetch(page, /\/models$/)
  expect(await page.getByLabel('Prompt').inputValue()).toBe('Fix the new links')
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Show curl' }).click()
  const body = async () => JSON.parse(/-d '(.*)'$/.exec((await page.locator('pre').textContent()) ?? '')?.[1] ?? '')
  // The branch is taken by the job itself.
  const { branch: _, ...rest } = request
  expect(await body()).toEqual({ prompt: 'Fix the new links', ...rest })
  await page.reload()
  await expect.poll(() => page.getByLabel('Prompt').inputValue()).toBe('Fix the new links')
  await page.getByRole('button', { name: 'Discard draft' }).click()
  expect(await page.getByLabel('Prompt').inputValue()).toBe('Fix the old links')
  await page.getByRole('button', { name: 'Create job' }).click()
  await page.waitForURL((url) => /jobs\/job_/.test(url.pathname) && !url.pathname.endsWith(id))
  const created = await dashboard.database.prisma.job.findUniqueOrThrow({
    where: { id: new URL(page.url()).pathname.split('/').at(-1) ?? '' },
  })
  expect(created).toMatchObject({ baseBranch: 'next', model: 'm-2', metadata: { team: 'web' } })
  expect(created.options).toEqual({ draft: true, title: 'Links', labels: ['docs'] })
  await page.goto(`${dashboard.url}${jobs()}/new`)
  await expect.poll(() => page.getByLabel('Prompt').inputValue()).toBe('Half a thought')
  watched.expectClean()
  await watched.close()
})

test('a prompt is saved, used, renamed and deleted', async () => {
  const watched = await dashboard.openPage(`${jobs()}/new`)
  const { page } = watched
  await page.getByLabel('Prompt').fill('Check all links.')
  await page.getByRole('button', { name: 'Save prompt' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save prompt' })
  // Errors are shown at the field, not in a bubble of the browser.
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.getByText('Enter a value.').waitFor()
  expect(await focused(page)).toBe('name')
  await dialog.getByLabel('Name').fill('Links')
  await page.keyboard.press('Enter')
  await page.getByText('Prompt saved.').first().waitFor()
  // Enter in the dialog does not create the job.
  expect(page.url()).toContain('/jobs/new')

  await page.getByLabel('Prompt').fill('First this.')
  await page.getByRole('button', { name: 'Saved prompts' }).click()
  await page.getByRole('menuitem', { name: 'Links' }).click()
  expect(await page.getByLabel('Prompt').inputValue()).toBe('First this.\n\nCheck all links.')
  await page.getByRole('button', { name: 'Saved prompts' }).click()
  await page.getByRole('menuitem', { name: /Manage/ }).click()
  await page.getByRole('button', { name: 'Rename Links' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('All links')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Use All links' }).waitFor()
  await checkVariants(page)
  await page.getByRole('button', { name: 'Delete All links' }).click()
  await page
    .getByRole('alertdialog')
    .or(page.getByRole('dialog').last())
    .getByRole('button', { name: 'Delete' })
    .click()
  await page.getByText('No saved prompts.').waitFor()
  expect(await dashboard.database.prisma.savedPrompt.count()).toBe(0)
  watched.expectClean()
  await watched.close()
})

test('the model is a choice of what the service offers, with any other name if the service allows it', async () => {
  const watched = await dashboard.openPage(`${jobs()}/new`)
  const { page } = watched
  // The service has one model, so that the choice is one of the less common options.
  expect(await page.getByLabel('Model', { exact: true }).count()).toBe(0)
  await page.getByRole('button', { name: 'Options' }).click()
  const model = page.getByLabel('Model', { exact: true })
  await model.selectOption('Other…')
  await page.getByLabel('Model ID').fill('m-9')
  await page.getByRole('textbox', { name: 'Prompt' }).fill('x')
  await page.getByRole('button', { name: 'Show curl' }).click()
  expect(await page.locator('pre').textContent()).toContain('"model":"m-9"')
  await model.selectOption({ index: 0 })
  expect(await page.locator('pre').textContent()).not.toContain('model')
  watched.expectClean()
  await watched.close()
})

test('a job, a retry or a follow-up whose response was lost is not created again', async () => {
  const watched = await dashboard.openPage(`${jobs()}/new`, { ignore: [/Failed to load resource/] })
  const { page } = watched
  const { prisma } = dashboard.database
  /** The next request to a path that ends in `end` is processed, but its response is lost. */
  const loseNext = (end: string) =>
    page.route(
      `**${end}`,
      async (route) => {
        // The browser adds this header after the request was intercepted.
        const headers = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' }
        const response = await route.fetch({ headers })
        expect(response.ok(), await response.text()).toBe(true)
        await route.abort()
      },
      { times: 1 },
    )
  const unreachable = page.getByText('The service is unreachable').first()
  const create = page.getByRole('button', { name: 'Create job' })

  await page.getByLabel('Prompt').fill('Lost once')
  await loseNext('/job')
  await create.click()
  await unreachable.waitFor()
  await page.reload()
  await expect.poll(() => page.getByLabel('Prompt').inputValue()).toBe('Lost once')
  await loseNext('/job')
  await create.click()
  await unreachable.waitFor()
  await create.click()
  await page.waitForURL(/jobs\/job_/)
  const count = (prompt: string) => prisma.run.count({ where: { prompt } })
  expect(await count('Lost once')).toBe(1)
  expect(await listDrafts(page)).toEqual([])
  // After a success, the same prompt creates another job. So does a prompt that was changed.
  await page.goto(`${dashboard.url}${jobs()}/new`)
  await page.getByLabel('Prompt').fill('Lost once')
  await loseNext('/job')
  await create.click()
  await unreachable.waitFor()
  await page.getByLabel('Prompt').fill('Not lost')
  await create.click()
  await page.waitForURL(/jobs\/job_/)
  expect([await count('Lost once'), await count('Not lost')]).toEqual([2, 1])

  const { id } = await dashboard.createJob('Answer me')
  await endJobWith(dashboard.database, id, { files: [toAddedFile('a.md', ['a'])] })
  await page.goto(`${dashboard.url}${jobs()}/${id}`)
  await page.getByLabel('Follow-up', { exact: true }).fill('And this.')
  await loseNext('/message')
  await page.getByRole('button', { name: 'Send' }).click()
  await unreachable.waitFor()
  // What the user writes while it is sent is kept.
  let release = () => {}
  const isWritten = new Promise<void>((done) => {
    release = done
  })
  await page.route('**/message', (route) => isWritten.then(() => route.continue()), { times: 1 })
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByLabel('Follow-up', { exact: true }).fill('And this.\n\nAnd that.')
  release()
  await expect.poll(() => page.getByLabel('Follow-up', { exact: true }).inputValue()).toBe('And that.')
  expect(await prisma.jobMessage.count({ where: { jobId: id } })).toBe(1)

  const { id: other } = await dashboard.createJob('Retry me')
  await endJobWith(dashboard.database, other, { files: [toAddedFile('a.md', ['a'])] })
  await page.goto(`${dashboard.url}${jobs()}/${other}`)
  await loseNext('/retry')
  const retry = async () => {
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Retry' }).click()
  }
  await retry()
  await unreachable.waitFor()
  await retry()
  await page.waitForURL((url) => /jobs\/job_/.test(url.pathname) && !url.pathname.endsWith(other))
  expect(await prisma.job.count({ where: { retryOf: other } })).toBe(1)
  await watched.close()
})
