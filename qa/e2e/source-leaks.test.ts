import { WITHHELD } from '@corrigenda/agent/leaks'
import { buildCorrigenda } from '@corrigenda/client'
import { type ScriptTurn, scriptPrompt } from '@corrigenda/testkit'
import { editPage } from '@corrigenda/worker/internal/e2e/test-support/open-test-service'
import { expect, onTestFinished, test } from 'vitest'
import { openHostedService } from './test-support/open-hosted-service.ts'

const CODE = Array.from({ length: 9 }, (_, line) => `  if (usage > quotas[${line}]) await bill(account, ${line * 13})`)

/** Opens a project with a private source. */
async function open() {
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
  return { service, client }
}

/** Runs a script, and returns the job and its changes. */
async function run(script: readonly ScriptTurn[]) {
  const { client } = await open()
  const job = await client.createJob({ prompt: scriptPrompt('Describe bills.', script) }).wait({ timeoutMs: 170_000 })
  return { job, changes: await client.getChanges(job.id) }
}

const copy = editPage(1, CODE.join('\n'))
const search = (at: number) => ({ tool: 'search', input: { query: `page ${at}` } })
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

test('what the model says and asks has no private text, for job tokens and for API keys', async () => {
  const { service, client } = await open()
  const said = CODE.map((line, at): ScriptTurn => [{ text: `The code is:\n${line}` }, search(at)])
  const question = `Is this right?\n${CODE.join('\n')}`
  const ask: ScriptTurn = [{ tool: 'finish', input: { outcome: 'needs_input', reason: question } }]
  const prompt = 'First write out src/bill.ts of api, then ask me whether it is right.'
  const script = [[{ text: `I wrote it out:\n${CODE.join('\n')}` }, ...view], ...said, ask, ask]
  const { id } = await client.createJob({ prompt: scriptPrompt(prompt, script) }).wait({ timeoutMs: 170_000 })
  const { token } = await client.createJobToken(id)
  const path = `${service.url}/v2/agent/${service.projectId}/job/${id}`
  for (const bearer of [token, service.key]) {
    const read = async (url: string) => {
      const response = await fetch(url, { headers: { authorization: `Bearer ${bearer}` } })
      expect(response.status).toBe(200)
      return await response.text()
    }
    const job = await read(path)
    expect(JSON.parse(job)).toMatchObject({ outcome: 'needs_input', summary: WITHHELD })
    const events = await read(`${path}/events`)
    expect(events).toContain(WITHHELD)
    expect(`${job}${events}`).not.toContain('await bill')
  }
  const rows = await service.database.prisma.transcriptRow.findMany({ where: { role: 'assistant' } })
  expect(JSON.stringify(rows)).toContain('await bill')
})

test('a file that the run has not opened does not leave in parts over several replies', async () => {
  const { service, client } = await open()
  const list: ScriptTurn = [{ tool: 'list_files', input: { path: '' } }]
  const parts = CODE.join(' ').match(/.{1,120}/g) ?? []
  const said = parts.map((text, at): ScriptTurn => [{ text }, search(at)])
  const end: ScriptTurn = [{ tool: 'finish', input: { outcome: 'no_change', reason: parts.join('') } }]
  const script = [list, ...said, end, end]
  const { id } = await client.createJob({ prompt: scriptPrompt('Check bills.', script) }).wait({ timeoutMs: 170_000 })
  const events = await (
    await fetch(`${service.url}/v2/agent/${service.projectId}/job/${id}/events`, {
      headers: { authorization: `Bearer ${service.key}` },
    })
  ).text()
  const shown = parts.filter((part) => events.includes(JSON.stringify(part).slice(1, -1)))
  expect(shown.length).toBeLessThanOrEqual(2)
  expect(await client.getJob(id)).toMatchObject({ outcome: 'no_changes', summary: WITHHELD })
})

test('messages to one job cannot add a passage in parts', async () => {
  const { client } = await open()
  const end = (title: string): ScriptTurn => [{ tool: 'finish', input: { outcome: 'changed', title, body: 'Bills.' } }]
  const first = [editPage(1, CODE.slice(0, 5).join('\n')), end('Describe bills'), end('Describe bills')]
  const { id } = await client.createJob({ prompt: scriptPrompt('Describe bills.', first) }).wait({ timeoutMs: 170_000 })
  const more = [editPage(2, CODE.slice(5).join('\n')), end('Describe more'), end('Describe more')]
  const job = await client.sendMessage(id, scriptPrompt('Describe more.', more)).wait({ timeoutMs: 170_000 })
  expect(job).toMatchObject({ outcome: 'failed', failure: { code: 'source_leak' } })
})
