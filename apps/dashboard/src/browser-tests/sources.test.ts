import type { ProjectSettings, RunSource } from '@corrigenda/contracts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkVariants } from './test-support/check-screen.ts'
import { endJobWith, toAddedFile } from './test-support/end-job-with.ts'
import { openDashboard, type TestDashboard } from './test-support/open-dashboard.ts'

const TOKEN = 'github_pat_0123456789abcdefghij'
const COMMIT = 'c0ffee0'.padEnd(40, '0')

let dashboard: TestDashboard
beforeAll(async () => {
  dashboard = await openDashboard({ idle: true })
})
afterAll(() => dashboard?.close())

const settingsPath = () => `/dashboard/api/projects/${dashboard.projectId}/settings`
const read = async () =>
  (await (await dashboard.call('GET', settingsPath(), { cookie: dashboard.admin.cookie })).json()) as ProjectSettings
const save = (sources: unknown) =>
  dashboard.call('PATCH', settingsPath(), { cookie: dashboard.admin.cookie, body: { sources } })
const open = (at: string, as = dashboard.admin) => dashboard.openPage(`/projects/${dashboard.projectId}${at}`, { as })

test('owners add, edit and remove sources with their tokens', async () => {
  const { page, expectClean, close } = await open('/settings')
  const block = page.getByRole('region', { name: 'Sources', exact: true })
  await block.getByText('No sources yet.').waitFor()
  await block.getByRole('button', { name: 'Add source' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('docs')
  await dialog.getByLabel('Repository URL').fill('https://evil.example/acme/product')
  await dialog.getByRole('button', { name: 'Add source' }).click()
  await dialog.getByText('The project already has a source docs.').waitFor()
  await dialog.getByLabel('Name').fill('api')
  await dialog.getByRole('button', { name: 'Add source' }).click()
  await dialog.getByRole('alert').getByText('Repositories on evil.example are not allowed').waitFor()
  const repository = dashboard.host.repositoryUrl('acme/product')
  await dialog.getByLabel('Repository URL').fill(repository)
  await dialog.getByLabel('Branch').fill('release')
  await dialog.getByLabel('Paths', { exact: true }).fill('packages/api/**\npackages/cli/**')
  await dialog.getByLabel('Visibility').selectOption('Private')
  await dialog.getByLabel('Citations in pull requests').selectOption('File names without links')
  await dialog.getByLabel('Quotable paths').fill('examples/**')
  await checkVariants(page)
  await dialog.getByRole('button', { name: 'Add source' }).click()
  await dialog.waitFor({ state: 'detached' })
  const saved = {
    name: 'api',
    repository,
    ref: 'release',
    paths: ['packages/api/**', 'packages/cli/**'],
    visibility: 'private',
    cite: 'names',
    quotable: ['examples/**'],
  }
  expect((await read()).sources).toEqual([saved])
  const row = block.getByTestId('source-row')
  await row.getByText('Read with the credentials of this service.').waitFor()

  await row.getByRole('button', { name: 'More actions for api' }).click()
  await page.getByRole('menuitem', { name: 'Save token' }).click()
  await dialog.getByLabel('Access token').fill(TOKEN)
  await dialog.getByRole('button', { name: 'Save token' }).click()
  await row.getByText(/Read with its own token, which ends in ghij, saved .* by Olive Adams/).waitFor()
  expect(await page.content()).not.toContain(TOKEN)
  await checkVariants(page)
  await row.getByRole('button', { name: 'More actions for api' }).click()
  await page.getByRole('menuitem', { name: 'Remove token' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove token' }).click()
  await row.getByText('Read with the credentials of this service.').waitFor()

  await row.getByRole('button', { name: 'Edit' }).click()
  expect(await dialog.getByLabel('Name').getAttribute('readonly')).not.toBeNull()
  await dialog.getByLabel('Branch').fill('')
  await dialog.getByLabel('Paths', { exact: true }).fill('')
  await dialog.getByLabel('Visibility').selectOption('Ask the Git host')
  await dialog.getByRole('button', { name: 'Save source' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect((await read()).sources).toEqual([{ ...saved, ref: null, paths: [], visibility: null }])

  await row.getByRole('button', { name: 'More actions for api' }).click()
  await page.getByRole('menuitem', { name: 'Remove source' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove source' }).click()
  await block.getByText('No sources yet.').waitFor()
  expect((await read()).sources).toEqual([])
  expectClean()
  await close()
})

test('shows an owner that a source of another repository needs a token, and offers at most five sources', async () => {
  const owner = await dashboard.invite(dashboard.projectId, 'owner')
  const names = ['a', 'b', 'c', 'd', 'e']
  const sources = names.map((name) => ({ name, repository: dashboard.host.repositoryUrl('acme/secret') }))
  const { page, expectClean, close } = await open('/settings', owner)
  const block = page.getByRole('region', { name: 'Sources', exact: true })
  await block.getByText('No sources yet.').waitFor()
  await dashboard.call('PATCH', settingsPath(), { cookie: owner.cookie, body: { sources } })
  await page.reload()
  await block.getByText('No credential.').first().waitFor()
  expect(await block.getByText('No credential.').count()).toBe(5)
  expect(await block.getByRole('button', { name: 'Add source' }).isDisabled()).toBe(true)
  await checkVariants(page)
  expectClean()
  await close()

  const asAdmin = await open('/settings')
  const rows = asAdmin.page.getByTestId('source-row')
  await rows.nth(4).getByRole('button', { name: 'More actions for e' }).click()
  await asAdmin.page.getByRole('menuitem', { name: 'Remove source' }).click()
  await asAdmin.page.getByRole('dialog').getByRole('button', { name: 'Remove source' }).click()
  await rows.nth(4).waitFor({ state: 'detached' })
  expect(await asAdmin.page.getByText('No credential.').count()).toBe(4)
  await save(names.slice(0, 3).map((name) => ({ name, repository: dashboard.host.repositoryUrl(`acme/${name}`) })))
  await asAdmin.page.reload()
  // To save a source unchanged chooses it, and only it.
  await rows.nth(1).getByRole('button', { name: 'Edit' }).click()
  await asAdmin.page.getByRole('dialog').getByRole('button', { name: 'Save source' }).click()
  await rows.nth(1).getByText('Read with the credentials of this service.').waitFor()
  expect(await asAdmin.page.getByText('No credential.').count()).toBe(2)
  asAdmin.expectClean()
  await asAdmin.close()
})

test('a new job opens the chosen sources', async () => {
  await save(['api', 'web'].map((name) => ({ name, repository: dashboard.host.repositoryUrl(`acme/${name}`) })))
  const { page, expectClean, close } = await open('/jobs/new')
  const field = page.getByRole('group', { name: 'Sources' })
  await page.getByLabel('Prompt').fill('Document the new flags.')
  await page.getByRole('button', { name: 'Show curl' }).click()
  const curl = page.getByRole('region', { name: 'Equivalent command' }).or(page.locator('.code-block')).first()
  expect(await curl.textContent()).not.toContain('sources')
  expect(await field.getByLabel('docs', { exact: true }).isDisabled()).toBe(true)
  await field.getByLabel('web', { exact: true }).uncheck()
  await field.getByLabel('Read api at').fill('v1.2..')
  await checkVariants(page)
  await field.getByLabel('Read api at').fill('a b')
  await page.getByRole('button', { name: 'Create job' }).click()
  await field.getByText(/The source "api@a b" is not valid/).waitFor()
  await field.getByLabel('Read api at').fill('#7')
  await page.getByRole('button', { name: 'Create job' }).click()
  await page.waitForURL(/\/jobs\/job_/)
  const { options } = await dashboard.database.prisma.job.findFirstOrThrow({ orderBy: { createdAt: 'desc' } })
  expect(options).toEqual({ sources: [{ name: 'api', pullRequest: 7 }] })
  expectClean()
  await close()
})

test('the job page shows the sources that were read and links the evidence', async () => {
  const repository = 'https://github.com/acme/product'
  const source: RunSource = {
    name: 'api',
    repository,
    ref: 'main',
    commit: COMMIT,
    baseCommit: null,
    visibility: 'private',
    cite: 'none',
    paths: [],
    quotable: [],
  }
  const job = await dashboard.createJob('Document the export command.')
  const note = 'Head of pull request 12, from the fork mallory/product.'
  const lines = { source: 'api', path: 'src/commands/export command.ts' }
  await endJobWith(dashboard.database, job.id, {
    files: [
      toAddedFile('guides/export.md', ['# Export', '', 'Use `--json`.']),
      toAddedFile('reference/a-long-folder-name/configuration.md', ['# Configuration']),
    ],
    sources: [
      { ...source, note },
      { ...source, name: 'docs', repository: 'https://github.com/acme/docs', ref: null },
    ],
    evidence: [
      {
        page: 'guides/export.md',
        ...lines,
        fromLine: 41,
        toLine: 44,
        note: 'Defines the flag and its <b>default</b>.',
      },
      { page: 'guides/export.md', ...lines, fromLine: 50, toLine: 50, note: '' },
      {
        page: 'reference/a-long-folder-name/configuration.md',
        ...lines,
        fromLine: 1,
        toLine: 2,
        note: 'Lists the keys.',
      },
    ],
  })
  const { page, expectClean, close } = await open(`/jobs/${job.id}`)
  const evidence = page.getByTestId('evidence')
  await evidence.getByRole('button', { name: /Evidence \(3\)/ }).waitFor()
  const first = evidence.getByRole('region', { name: 'guides/export.md' })
  expect(await first.getByRole('link').evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual([
    `${repository}/blob/${COMMIT}/src/commands/export%20command.ts#L41-L44`,
    `${repository}/blob/${COMMIT}/src/commands/export%20command.ts#L50`,
  ])
  await first.getByText('Defines the flag and its <b>default</b>.').waitFor()
  await first.getByText('api src/commands/export command.ts:41-44').waitFor()
  const facts = page.getByText('api at')
  expect(await facts.getByRole('link').getAttribute('href')).toBe(`${repository}/tree/${COMMIT}`)
  expect(await facts.textContent()).toBe(`api at c0ffee0 (main). ${note}`)
  await checkVariants(page)
  await evidence.getByRole('button', { name: /Evidence/ }).click()
  await first.waitFor({ state: 'detached' })
  expectClean()
  await close()
})

test('saving a source or its token starts the connection check, which shows a result for each source', async () => {
  const files = new Map([['src/export.ts', { data: 'export const flag = 1\n' }]])
  await dashboard.host.createRepository('acme/tool', { commits: [{ message: 'feat: export', files }] })
  await dashboard.host.createRepository('acme/other', { commits: [{ message: 'feat: other', files }] })
  const { id } = await dashboard.makeProject('Checked docs')
  await dashboard.work()
  const { page, expectClean, close } = await dashboard.openPage(`/projects/${id}/settings`)
  const block = page.getByRole('region', { name: 'Sources', exact: true })
  const dialog = page.getByRole('dialog')
  const step = (name: string) => block.getByTestId(`step-source-${name}`)
  const add = async (name: string, repository: string, paths: string) => {
    await block.getByRole('button', { name: 'Add source' }).click()
    await dialog.getByLabel('Name').fill(name)
    await dialog.getByLabel('Repository URL').fill(dashboard.host.repositoryUrl(repository))
    await dialog.getByLabel('Paths', { exact: true }).fill(paths)
    await dialog.getByRole('button', { name: 'Add source' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await add('tool', 'acme/tool', 'src/**')
  await step('tool').getByText('Passed').waitFor()
  await step('tool').getByText('The repository is private. 1 file matches its paths.').waitFor()
  const result = page.getByTestId('connection-test')
  await result.getByText('The connection works.').waitFor()
  await add('web', 'acme/absent', '')
  await step('web').getByText('Failed').waitFor()
  await step('web').getByText('The repository acme/absent does not exist').waitFor()
  await add('docs2', 'acme/tool', 'packages/**')
  await step('docs2').getByText('Warning').waitFor()
  await step('docs2').getByText('No file matches the paths').waitFor()
  // The result of the documentation repository does not depend on the sources.
  await result.getByText('The connection works.').waitFor()
  expect(await result.getByText('acme/absent').count()).toBe(0)
  await checkVariants(page)

  const row = block.getByTestId('source-row').filter({ hasText: 'packages/**' })
  const act = async (action: string) => {
    await row.getByRole('button', { name: 'More actions for docs2' }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  await act('Save token')
  await dialog.getByLabel('Access token').fill(dashboard.host.addToken({ contents: 'read' }, ['acme/other']))
  await dialog.getByRole('button', { name: 'Save token' }).click()
  await step('docs2').getByText('Failed').waitFor()
  await act('Remove token')
  await dialog.getByRole('button', { name: 'Remove token' }).click()
  await step('docs2').getByText('Warning').waitFor()
  await row.getByRole('button', { name: 'Edit' }).click()
  await dialog.getByLabel('Paths', { exact: true }).fill('src/*.ts')
  await dialog.getByRole('button', { name: 'Save source' }).click()
  await row.waitFor({ state: 'detached' })
  await step('docs2').getByText('Passed').waitFor()
  await block.getByTestId('source-row').filter({ hasText: 'acme/absent' }).getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Remove source' }).click()
  await dialog.getByRole('button', { name: 'Remove source' }).click()
  await step('web').waitFor({ state: 'detached' })
  await block.getByRole('button', { name: 'Check connection' }).and(page.locator(':enabled')).waitFor()
  expectClean()
  await close()

  const guide = await dashboard.openPage(`/projects/${id}/setup-guide`)
  await guide.page.getByRole('button', { name: 'Connect the repository' }).click()
  await guide.page.getByRole('button', { name: 'Check connection' }).click()
  const all = guide.page.getByTestId('connection-test')
  await all.getByText('The connection works.').waitFor()
  await all.getByText('Source tool readable').waitFor()
  await all.getByTestId('step-source-docs2').getByText('Passed').waitFor()
  await checkVariants(guide.page)
  guide.expectClean()
  await guide.close()
  await dashboard.stopWorkers()
})
