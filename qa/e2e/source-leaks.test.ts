import { buildCorrigenda } from '@corrigenda/client'
import { type ScriptTurn, scriptPrompt } from '@corrigenda/testkit'
import { editPage } from '@corrigenda/worker/internal/e2e/test-support/open-test-service'
import { expect, onTestFinished, test } from 'vitest'
import { openHostedService } from './test-support/open-hosted-service.ts'

const CODE = Array.from({ length: 9 }, (_, line) => `  if (usage > quotas[${line}]) await bill(account, ${line * 13})`)

/** Runs a script in a project with a private source, and returns the job and its changes. */
async function run(script: readonly ScriptTurn[]) {
  const service = await openHostedService()
  onTestFinished(() => service.close())
  const files = new Map([['src/bill.ts', { data: `${CODE.join('\n')}\n` }]])
  await service.host.createRepository('acme/api', { commits: [{ message: 'feat: bills', files }] })
  const source = { name: 'api', repository: service.host.repositoryUrl('acme/api') }
  const defaults = { ref: null, paths: [], visibility: 'private' as const, cite: null, quotable: [] }
  await service.updateProject({ sources: [{ ...source, ...defaults }] })
  const client = buildCorrigenda({
    baseUrl: service.url,
    apiKey: service.key,
    projectId: service.projectId,
    pollMs: 100,
  })
  const job = await client.createJob({ prompt: scriptPrompt('Describe bills.', script) }).wait({ timeoutMs: 60_000 })
  return { job, changes: await client.getChanges(job.id) }
}

const copy = editPage(1, CODE.join('\n'))
const view: ScriptTurn = [{ tool: 'view', input: { source: 'api', path: 'src/bill.ts' } }]
const finish: ScriptTurn = [{ tool: 'finish', input: { outcome: 'changed', title: 'Describe bills', body: 'Bills.' } }]

test('a job that fails because of private text stores no changes', async () => {
  const { job, changes } = await run([view, copy, editPage(2, 'Bills are sent in May.'), finish, finish])
  expect(job).toMatchObject({ outcome: 'failed', failure: { code: 'source_leak' } })
  expect(changes.files).toEqual([])
  expect(JSON.stringify([job, changes])).not.toContain('await bill')
})

test('the changes of a job that stops earlier contain no files with private text', async () => {
  const { job, changes } = await run([copy, editPage(2, 'Bills are sent in May.'), view, view, view, view, view])
  expect(job).toMatchObject({ outcome: 'failed', failure: { code: 'stuck' } })
  expect(changes.files.map(({ path, patch }) => [path, patch?.includes('sent in May')])).toEqual([['page-2.mdx', true]])
  expect(JSON.stringify([job, changes])).not.toContain('await bill')
})
