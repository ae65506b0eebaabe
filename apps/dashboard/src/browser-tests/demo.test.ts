import { SUGGESTED_PROMPTS } from '@corrigenda/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkVariants } from './test-support/check-screen.ts'
import { openDashboard, type TestDashboard } from './test-support/open-dashboard.ts'

const KEY = 'sk-ant-0123456789abcdef'

let dashboard: TestDashboard
const keys: string[] = []
beforeAll(async () => {
  dashboard = await openDashboard({ connectModel: (key) => void keys.push(key) })
})
afterAll(() => dashboard?.close())

const project = () => `/projects/${dashboard.projectId}`

test('example prompts are on the empty list, in the setup guide and on New job, which they fill in', async () => {
  const watched = await dashboard.openPage(`${project()}/jobs`)
  const { page } = watched
  const examples = page.getByRole('region', { name: 'Examples' })
  await examples.waitFor()
  await checkVariants(page)
  const [first] = SUGGESTED_PROMPTS
  await examples.getByRole('link', { name: first?.prompt ?? '' }).click()
  await page.waitForURL('**/jobs/new?prompt=**')
  expect(await page.getByLabel('Prompt').inputValue()).toBe(first?.prompt)
  await checkVariants(page)
  const last = SUGGESTED_PROMPTS.at(-1)?.prompt ?? ''
  await page.getByRole('button', { name: last }).click()
  expect(await page.getByLabel('Prompt').inputValue()).toBe(last)
  await page.goto(`${dashboard.url}${project()}/setup-guide`)
  await expect.poll(() => examples.getByRole('link').count()).toBe(SUGGESTED_PROMPTS.length)
  watched.expectClean()
  await watched.close()
})

test('an unknown request ends as a question, with examples and a form for an API key', async () => {
  const watched = await dashboard.openPage(`${project()}/jobs/new`)
  const { page } = watched
  await page.getByLabel('Prompt').fill('Write a poem about sheep')
  await page.getByRole('button', { name: 'Create job' }).click()
  const note = page.getByTestId('question')
  await note.waitFor()
  expect(await note.getAttribute('data-tone')).toBe('warn')
  await page.getByText('Needs input', { exact: true }).first().waitFor()
  expect(await note.locator('.example-prompt').count()).toBe(SUGGESTED_PROMPTS.length)
  await note.getByRole('button', { name: 'Fix the broken links' }).click()
  expect(await page.getByLabel('Your answer').inputValue()).toBe('Fix the broken links')
  await checkVariants(page)
  await note.getByLabel('Or enter the key here').fill(KEY)
  await note.getByRole('button', { name: 'Use this key' }).click()
  await note.getByLabel('Or enter the key here').waitFor({ state: 'detached' })
  expect(keys).toEqual([KEY])
  await note.getByText('Select Retry to run this job with claude-sonnet-5-5.').waitFor()
  await checkVariants(page)
  watched.expectClean()
  await watched.close()
})
