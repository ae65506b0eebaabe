import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { scriptPrompt } from '@corrigenda/testkit'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { editPage } from '../../../worker/src/e2e/test-support/open-test-service.ts'
import { openHostedService } from './test-support/open-hosted-service.ts'

const root = path.resolve(import.meta.dirname, '../../../..')
const FULL = 'acme/docs'

let service: Awaited<ReturnType<typeof openHostedService>>
let dir: string
beforeAll(async () => {
  service = await openHostedService()
  dir = await mkdtemp(path.join(os.tmpdir(), 'corrigenda-action-'))
})
afterAll(async () => {
  await service.close()
  await rm(dir, { recursive: true, force: true })
})

/** Runs the action as a runner does: inputs and files by environment. */
async function runAction(inputs: Record<string, string>, event: unknown = {}) {
  const files = { output: path.join(dir, 'output'), summary: path.join(dir, 'summary'), event: path.join(dir, 'event') }
  await Promise.all([writeFile(files.output, ''), writeFile(files.summary, '')])
  await writeFile(files.event, JSON.stringify(event))
  const all = { url: service.url, 'api-key': service.key, 'project-id': service.projectId, prompt: 'x', ...inputs }
  const child = spawn(process.execPath, [path.join(root, 'action/main.mjs')], {
    env: {
      ...Object.fromEntries(Object.entries(all).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
      GITHUB_OUTPUT: files.output,
      GITHUB_STEP_SUMMARY: files.summary,
      GITHUB_EVENT_PATH: files.event,
      GITHUB_API_URL: service.host.apiUrl,
      GITHUB_REPOSITORY: FULL,
    },
  })
  let log = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (log += chunk))
  const code = await new Promise((resolve) => child.on('close', resolve))
  const text = await readFile(files.output, 'utf8')
  const outputs = Object.fromEntries(
    [...text.matchAll(/^([\w-]+)<<(\S+)\n([\s\S]*?)\n\2\n/gm)].map(([, name, , value]) => [name, value]),
  )
  return { code, log, outputs, summary: await readFile(files.summary, 'utf8') }
}

const edit = (n: number) => scriptPrompt(`Change page ${n}.`, [editPage(n, `Changed ${n}.`)])

test('posts a job, waits, sets outputs, writes the summary, comments the link once', async () => {
  const before = await runAction({ prompt: edit(1) })
  expect(before).toMatchObject({ code: 0, outputs: { status: 'completed', outcome: 'changed' } })
  const trigger = service.host.pulls(FULL)[0]
  const inputs = { prompt: edit(2), comment: 'true', 'github-token': service.host.token }
  const { code, log, outputs, summary } = await runAction(inputs, { pull_request: { number: trigger?.number } })
  expect([code, log]).toEqual([0, expect.stringContaining(`::add-mask::${service.key}`)])
  expect(outputs['job-id']).toMatch(/^job_/)
  expect(outputs['pr-link']).toMatch(/\/pull\/2$/)
  expect(summary).toContain('### Corrigenda: changed')
  expect(summary).toContain(`Pull request: ${outputs['pr-link']}`)
  const comments = service.host.pulls(FULL).find(({ number }) => number === trigger?.number)?.comments ?? []
  expect(comments.map(({ body }) => body)).toEqual([
    `The documentation for this change is proposed in ${outputs['pr-link']}.\n\n<!-- corrigenda ${outputs['job-id']} -->`,
  ])
})

test('a job that fails fails the step; its words can neither set outputs nor give commands', async () => {
  const evil = 'No.\n::set-output name=x::y\n```\noutcome<<X\nchanged\nX\n@everyone'
  const prompt = scriptPrompt('Do it.', [[{ tool: 'finish', input: { outcome: 'impossible', reason: evil } }]])
  const { code, log, outputs, summary } = await runAction({ prompt })
  expect([code, outputs.status, outputs.outcome]).toEqual([1, 'failed', 'failed'])
  expect(Object.keys(outputs)).toEqual(['job-id', 'status', 'outcome', 'pr-link', 'summary'])
  expect(log).toMatch(/^::error title=Corrigenda::The job failed \(impossible\)/m)
  expect(log).not.toMatch(/^::set-output/m)
  expect(summary).toContain('````text')
  const nothing = scriptPrompt('Check it.', [[{ tool: 'finish', input: { outcome: 'no_change', reason: evil } }]])
  const unchanged = await runAction({ prompt: nothing })
  expect([unchanged.code, unchanged.outputs.outcome]).toEqual([0, 'no_changes'])
  expect(unchanged.outputs.summary).toContain('@everyone')
})

test('without waiting the job goes on; wrong inputs are explained in one line', async () => {
  const going = await runAction({ prompt: edit(3), wait: 'false' })
  expect(going).toMatchObject({ code: 0, outputs: { status: 'active', outcome: '', 'pr-link': '' } })
  const said = async (inputs: Record<string, string>) => (await runAction(inputs)).log.trim().split('\n').at(-1)
  expect(await said({ prompt: '' })).toMatch(/^::error .*"prompt" is missing/)
  expect(await said({ url: 'corrigenda' })).toMatch(/^::error .*"url" is not a URL/)
  expect(await said({ wait: 'yes' })).toMatch(/^::error .*"wait" must be true or false/)
  expect(await said({ 'api-key': 'cgd_wrong' })).toMatch(/^::error .*A valid API key is required/)
})
