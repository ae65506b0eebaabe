import { files } from '@corrigenda/demo/test-support/open-test-host'
import { expect, onTestFinished, test } from 'vitest'
import { openTestHost } from './test-support/open-test-host.ts'

const FULL = 'acme/docs'
const AT = { owner: 'acme', repo: 'docs' }
const DOCS = { ...AT, workflow_id: 'docs.yml' }

const WORKFLOW = `name: Publish
run-name: Publish to $\{{ inputs.stage }}
on:
  workflow_dispatch:
    inputs:
      stage:
        required: true
jobs: {}
`

async function open() {
  const t = await openTestHost()
  onTestFinished(t.close)
  const workflows = {
    '.github/workflows/docs.yml': WORKFLOW,
    '.github/workflows/push.yml': 'on: [push, repository_dispatch]\n',
    '.github/workflows/some.yml': 'on:\n  repository_dispatch:\n    types: [publish, retract]\n',
  }
  const sha = await t.host.pushCommit(FULL, 'main', { files: files(workflows), message: 'ci' })
  return { ...t, sha, actions: t.octokit.rest.actions }
}

const outcomeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: { status: number; message: string }) => `${error.status} ${error.message}`,
  )

test('advances a dispatched workflow through its planned states as it is polled', async () => {
  const { host, octokit, actions, sha } = await open()
  host.planRuns(FULL, { endsAfter: 2, conclusion: 'failure', unlistedFor: 1 })
  const inputs = { stage: 'production' }
  const path = 'POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches'
  const { data: started } = await octokit.request(path, { ...DOCS, ref: 'main', inputs, return_run_details: true })
  const { workflow_run_id: id } = started as unknown as { workflow_run_id: number }
  expect((await actions.listWorkflowRuns({ ...DOCS })).data.total_count).toBe(0)
  const { data } = await actions.listWorkflowRuns({ ...DOCS, event: 'workflow_dispatch' })
  expect(data.workflow_runs).toMatchObject([
    {
      id,
      head_sha: sha,
      head_branch: 'main',
      display_title: 'Publish to production',
      status: 'queued',
      html_url: `${host.url}/${FULL}/actions/runs/${id}`,
    },
  ])
  expect((await actions.listWorkflowRuns({ ...DOCS, event: 'repository_dispatch' })).data.total_count).toBe(0)
  const states: unknown[] = []
  for (let n = 0; n < 4; n += 1) {
    const { data: run } = await actions.getWorkflowRun({ ...AT, run_id: id })
    states.push([run.status, run.conclusion])
  }
  expect(states).toEqual([
    ['queued', null],
    ['in_progress', null],
    ['completed', 'failure'],
    ['completed', 'failure'],
  ])
  expect((await actions.getWorkflow(DOCS)).data).toMatchObject({ path: '.github/workflows/docs.yml' })
})

test("rejects invalid dispatches with GitHub's messages", async () => {
  const { host, actions } = await open()
  const start = (more: object) => outcomeOf(actions.createWorkflowDispatch({ ...DOCS, ref: 'main', ...more }))
  expect(await start({ workflow_id: 'gone.yml' })).toMatch(/^404 Not Found/)
  expect(await start({ ref: 'gone' })).toMatch(/^422 No ref found for: gone/)
  expect(await start({ workflow_id: 'push.yml' })).toMatch(/^422 Workflow does not have 'workflow_dispatch' trigger/)
  expect(await start({ inputs: { stage: 'x', nope: '1' } })).toMatch(/^422 Unexpected inputs provided: \["nope"\]/)
  expect(await outcomeOf(actions.getWorkflowRun({ ...AT, run_id: 1 }))).toMatch(/^404/)
  host.setRunDetails(FULL, false)
  const details = { inputs: { stage: 'x' }, return_run_details: true }
  expect(await start(details)).toMatch(/^422 .*"return_run_details" is not a permitted key/s)
  expect(host.workflowRuns(FULL)).toEqual([])
})

test('starts the workflows on the default branch that listen for a dispatched event', async () => {
  const { host, octokit, actions } = await open()
  const send = (event_type: string) =>
    octokit.rest.repos.createDispatchEvent({ ...AT, event_type, client_payload: { a: 1 } })
  expect((await send('publish')).status).toBe(204)
  expect((await send('other')).status).toBe(204)
  const { data } = await actions.listWorkflowRunsForRepo({ ...AT, event: 'repository_dispatch' })
  expect(data.workflow_runs.map((run) => run.display_title)).toEqual(['other', 'publish', 'publish'])
  expect(host.workflowRuns(FULL).map(({ path, title }) => [path.split('/').at(-1), title])).toEqual([
    ['push.yml', 'publish'],
    ['some.yml', 'publish'],
    ['push.yml', 'other'],
  ])
  host.endRuns(FULL, 'success')
  const [first] = host.workflowRuns(FULL)
  expect((await actions.getWorkflowRun({ ...AT, run_id: Number(first?.id) })).data.conclusion).toBe('success')
})

test('compares commits and reads files', async () => {
  const { host, octokit, sha } = await open()
  const changes = files({ 'index.md': null, 'guide/one.md': 'two\n', 'new.md': 'n\n' })
  const head = await host.pushCommit(FULL, 'main', { files: changes, message: 'more' })
  const { data } = await octokit.rest.repos.compareCommitsWithBasehead({ ...AT, basehead: `${sha}...${head}` })
  expect(data).toMatchObject({ merge_base_commit: { sha }, total_commits: 1, commits: [{ sha: head }] })
  expect(data.files?.map((file) => [file.filename, file.status])).toEqual([
    ['guide/one.md', 'modified'],
    ['index.md', 'removed'],
    ['new.md', 'added'],
  ])
  const gone = octokit.rest.repos.compareCommitsWithBasehead({ ...AT, basehead: `${'1'.repeat(40)}...${head}` })
  expect(await outcomeOf(gone)).toMatch(/^404/)
  const { data: file } = await octokit.rest.repos.getContent({ ...AT, path: '.github/workflows/docs.yml', ref: sha })
  const { content } = file as { content: string }
  expect(Buffer.from(content, 'base64').toString()).toBe(WORKFLOW)
  expect(await outcomeOf(octokit.rest.repos.getContent({ ...AT, path: 'index.md' }))).toMatch(/^404/)
})
