import { AgentJob, JobEventPage } from '@corrigenda/contracts'
import { scriptPrompt } from '@corrigenda/testkit'
import { FULL } from '@corrigenda/worker/internal/e2e/test-support/open-test-service'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openHostedService } from './test-support/open-hosted-service.ts'

let service: Awaited<ReturnType<typeof openHostedService>>
beforeAll(async () => {
  service = await openHostedService({}, { hasWorker: false })
})
afterAll(() => service.close())

test('a prompt becomes a job, a run, a commit, a pull request, and a completed job', async () => {
  const { url, key, projectId, host } = service
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const jobs = `${url}/v2/agent/${projectId}/job`

  // The model of this test follows a script in the prompt: it reads a page, and then it edits the page.
  const prompt = scriptPrompt('Change the marker of page 3, please.', [
    [{ tool: 'view', input: { path: 'page-3.mdx' } }],
    [{ tool: 'edit', input: { path: 'page-3.mdx', old_str: 'Marker 3 stands here.', new_str: 'Marker 3 has moved.' } }],
  ])

  // POST: the API stores the job and its run in one transaction, and answers.
  const response = await fetch(jobs, { method: 'POST', headers, body: JSON.stringify({ prompt, labels: ['docs'] }) })
  expect(response.status).toBe(201)
  const created = AgentJob.parse(await response.json())
  expect(created).toMatchObject({ status: 'active', phase: 'queued', outcome: null, prLink: null })

  // Worker: claims the run, lets the agent edit, checks and freezes the change, and publishes it.
  await service.startWorker()
  const read = async () => AgentJob.parse(await (await fetch(`${jobs}/${created.id}`, { headers })).json())
  await expect.poll(async () => (await read()).status, { timeout: 60_000 }).not.toBe('active')

  // Events: each step was recorded with its change of the rows, in order.
  const page = JobEventPage.parse(await (await fetch(`${jobs}/${created.id}/events`, { headers })).json())
  const steps = page.events.map(({ type }) => type).filter((type) => !/^(?:agent|tool)\./.test(type))
  expect(steps).toEqual([
    'job.created',
    'job.started',
    'checkout.ready',
    'phase.changed',
    'change.frozen',
    'branch.pushed',
    'job.completed',
  ])

  // Commit: one, on the job's own branch, with only the edited page.
  const branch = `corrigenda/${created.id}`
  const git = (...args: string[]) => host.git(FULL, ...args)
  expect(await git('rev-list', '--count', `main..${branch}`)).toBe('1')
  expect(await git('diff', '--name-status', 'main', branch)).toBe('M\tpage-3.mdx')
  expect(await git('show', `${branch}:page-3.mdx`)).toContain('Marker 3 has moved.')
  expect(await git('log', '-1', '--format=%B', branch)).toContain(`Corrigenda-Job: ${created.id}`)

  // Pull request: one, from that branch, with the request's labels and the prompt.
  const pulls = host.pulls(FULL)
  expect(pulls).toMatchObject([{ headRef: branch, baseRef: 'main', state: 'open', draft: false, labels: ['docs'] }])
  expect(pulls[0]?.body).toContain('Change the marker of page 3, please.')

  // Job: completed, with the link, and the checks of the documentation have passed.
  const job = await read()
  expect(job).toMatchObject({ status: 'completed', outcome: 'changed', phase: null, failure: null })
  expect(job.prLink).toBe(`${host.repositoryUrl(FULL)}/pull/${pulls[0]?.number}`)
  expect(job.checks.map(({ status }) => status)).toEqual(Array(7).fill('passed'))
})
