import type { DeployTarget } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { pickRun } from './dispatch-run.ts'
import { readInputs } from './dispatch-workflow.ts'
import { type HarnessOptions, toSteps, useDeployService, WORKFLOW } from './test-support/open-deploy-harness.ts'

const openHarness = useDeployService()

const FILE = '.github/workflows/docs.yml'
const TARGET = { kind: 'workflow_dispatch', workflow: 'docs.yml' } as const
const CORRELATED = WORKFLOW.replace('Publish the docs', `Publish $${'{{'} inputs.corrigenda_status_id }}`).replace(
  '      stage:',
  '      corrigenda_status_id:\n        required: false\n      stage:',
)

async function open(options: HarnessOptions = {}) {
  const harness = await openHarness({ files: { [FILE]: WORKFLOW, ...options.files }, ...options })
  await harness.deployTo(TARGET)
  harness.startWorker()
  return harness
}

test.each([
  ['with a personal token', false],
  ['as a GitHub App', true],
])('starts a workflow and follows it to completion %s', async (_as, app) => {
  const harness = await open({ app })
  await harness.deployTo({ ...TARGET, inputs: { stage: 'production' } })
  const ended = await harness.ended(await harness.ask())
  const [run] = harness.host.workflowRuns(harness.full)
  const url = `${harness.host.url}/${harness.full}/actions/runs/${run?.id}`
  expect(ended).toMatchObject({ status: 'success', url, summary: `The workflow run concluded with success: ${url}` })
  expect(run).toMatchObject({ headBranch: 'main', headSha: ended.commit?.sha, inputs: { stage: 'production' } })
  expect(toSteps(ended)).toEqual([
    `Deploying ${ended.commit?.sha.slice(0, 7)} of main: docs: start`,
    'Starting the workflow docs.yml on main.',
    `Following the workflow run ${run?.id}.`,
    'The workflow run is queued.',
    'The workflow run is in progress.',
    ended.summary,
  ])
})

test('succeeds only for the conclusions success and neutral', async () => {
  const harness = await open()
  const cases = [
    ['failure', 'failure', /concluded with failure\. Read its log: http/],
    ['cancelled', 'failure', /concluded with cancelled/],
    ['timed_out', 'failure', /concluded with timed out/],
    ['skipped', 'failure', /concluded with skipped/],
    ['neutral', 'success', /concluded with neutral/],
  ] as const
  for (const [conclusion, status, pattern] of cases) {
    harness.host.planRuns(harness.full, { conclusion, endsAfter: 0 })
    const ended = await harness.ended(await harness.ask())
    expect(ended).toMatchObject({
      status,
      summary: expect.stringMatching(pattern),
      url: expect.stringContaining('/runs/'),
    })
  }
})

test('finds the run when the host does not return its id, even if the run appears late', async () => {
  const harness = await open()
  harness.host.setRunDetails(harness.full, false)
  const first = await harness.ended(await harness.ask())
  harness.host.planRuns(harness.full, { unlistedFor: 3, conclusion: 'failure' })
  const second = await harness.ended(await harness.ask())
  expect([first.status, second.status]).toEqual(['success', 'failure'])
  expect(new Set([first.url, second.url]).size).toBe(2)
  expect(harness.host.workflowRuns(harness.full)).toHaveLength(2)
})

test('passes the deployment id to a workflow that declares the input and uses it to identify the run', async () => {
  const harness = await open({ files: { [FILE]: CORRELATED } })
  harness.host.setRunDetails(harness.full, false)
  // Another client starts the same workflow just before the worker does.
  const address = `${harness.host.apiUrl}/repos/${harness.full}/actions/workflows/docs.yml/dispatches`
  const headers = { authorization: `Bearer ${harness.host.token}`, 'user-agent': 'test' }
  harness.host.fault({
    op: 'actions.createWorkflowDispatch',
    kind: 'delay',
    meanwhile: async () => void (await fetch(address, { method: 'POST', headers, body: '{"ref":"main"}' })),
    match: 'corrigenda_status_id',
  })
  const statusId = await harness.ask()
  const ended = await harness.ended(statusId)
  const [theirs, ours] = harness.host.workflowRuns(harness.full)
  expect([theirs?.inputs, ours?.inputs]).toEqual([{}, { corrigenda_status_id: statusId }])
  expect(ended).toMatchObject({ status: 'success', url: expect.stringContaining(String(ours?.id)) })
})

test('starts the workflow of the base branch for a preview only if it declares an input for the branch', async () => {
  const harness = await open()
  await harness.host.git(harness.full, 'branch', 'docs/draft', 'main')
  expect(await harness.ended(await harness.ask('docs/draft'))).toMatchObject({
    status: 'failure',
    summary: expect.stringMatching(/docs.yml does not exist on main or has no input corrigenda_preview_branch/),
  })
  expect(harness.host.workflowRuns(harness.full)).toEqual([])
  const declaring = WORKFLOW.replace(
    '      stage:',
    '      corrigenda_preview_branch:\n        required: false\n      stage:',
  )
  // The file on the preview's own branch does not count.
  const push = (branch: string, data: string) =>
    harness.host.pushCommit(harness.full, branch, { files: new Map([[FILE, { data }]]), message: 'ci: preview' })
  await push('docs/draft', declaring)
  expect(await harness.ended(await harness.ask('docs/draft'))).toMatchObject({ status: 'failure' })
  await push('main', declaring)
  await harness.deployTo({ ...TARGET, inputs: { stage: 'production' } })
  const ended = await harness.ended(await harness.ask('docs/draft'))
  expect(ended).toMatchObject({ status: 'success', commit: { ref: 'docs/draft' } })
  expect(harness.host.workflowRuns(harness.full)).toMatchObject([
    { headBranch: 'main', inputs: { stage: 'production', corrigenda_preview_branch: 'docs/draft' } },
  ])
  await harness.ended(await harness.ask())
  expect(harness.host.workflowRuns(harness.full).map(({ inputs }) => inputs)).toContainEqual({ stage: 'production' })
})

test('does not repeat a dispatch whose response is lost', async () => {
  const harness = await open()
  for (const kind of ['apply-then-reset', 'apply-then-status'] as const) {
    harness.host.fault({ op: 'actions.createWorkflowDispatch', kind })
    expect(await harness.ended(await harness.ask())).toMatchObject({ status: 'success' })
  }
  expect(harness.host.workflowRuns(harness.full)).toHaveLength(2)
  expect(harness.count('actions.createWorkflowDispatch')).toBe(2)
})

test('keeps following a run during a host outage', async () => {
  const harness = await open()
  harness.host.planRuns(harness.full, { endsAfter: 4 })
  harness.host.fault({ op: 'actions.getWorkflowRun', kind: 'status', status: 502, times: 6 })
  harness.host.fault({ op: 'actions.getWorkflowRun', kind: 'reset', times: 6 })
  expect(await harness.ended(await harness.ask())).toMatchObject({ status: 'success' })
})

test('fails when the run never appears or never completes', async () => {
  const harness = await openHarness({ files: { [FILE]: WORKFLOW } })
  await harness.deployTo(TARGET)
  harness.host.setRunDetails(harness.full, false)
  harness.host.planRuns(harness.full, { unlistedFor: 1_000_000 })
  const worker = harness.startWorker({ limits: { findRunMs: 100 } })
  expect((await harness.ended(await harness.ask())).summary).toMatch(
    /does not list a run of the workflow docs.yml on main/,
  )
  await worker.stop()
  harness.host.planRuns(harness.full, { endsAfter: 1_000_000 })
  harness.startWorker({ limits: { workflowMs: 600 } })
  expect((await harness.ended(await harness.ask())).summary).toMatch(/did not finish within 0.6 seconds/)
})

test('reports how to fix a rejected dispatch', async () => {
  const harness = await open()
  const forbidden = {
    kind: 'status',
    status: 403,
    message: 'Resource not accessible by personal access token',
  } as const
  const cases: [DeployTarget, RegExp][] = [
    [{ ...TARGET, workflow: 'gone.yml' }, /no workflow gone\.yml on its default branch.*actions: write/],
    [{ ...TARGET, ref: 'gone' }, /No ref found for: gone.*workflow_dispatch trigger/],
    [{ ...TARGET, inputs: { nope: '1' } }, /Unexpected inputs provided.*the deploy target's inputs/],
    [TARGET, /cannot start workflows in acme\/docs-\d+\. Grant it actions: write/],
  ]
  for (const [target, pattern] of cases) {
    await harness.deployTo(target)
    if (target === TARGET) harness.host.fault({ op: 'actions.createWorkflowDispatch', ...forbidden })
    const ended = await harness.ended(await harness.ask())
    expect(ended).toMatchObject({ status: 'failure', summary: expect.stringMatching(pattern), url: null })
  }
  expect(harness.host.workflowRuns(harness.full)).toEqual([])
})

test('prefers a new run with the deployment id in its title, then a run for the commit, then the oldest run', () => {
  const run = (id: number, title = '', headSha = 'b') => ({
    id,
    title,
    headSha,
    headBranch: 'main',
    status: 'queued',
    conclusion: null,
    url: '',
  })
  const criteria = { seenRuns: [1], statusId: 'dep_1', sha: 'a' }
  expect(pickRun([run(1, 'dep_1', 'a')], criteria)).toBeNull()
  expect(pickRun([run(3), run(2)], criteria)?.id).toBe(2)
  expect(pickRun([run(4), run(3, '', 'a'), run(2)], criteria)?.id).toBe(3)
  expect(pickRun([run(4, 'Publish dep_1'), run(3, '', 'a')], criteria)?.id).toBe(4)
})

test.each([
  [CORRELATED, true],
  [WORKFLOW, false],
  ['on: workflow_dispatch', false],
  ['{"on": {"workflow_dispatch": {"inputs": {"corrigenda_status_id": {}}}}}', true],
  ['on: [', false],
  [`a: &a [x]\n${'b: [*a, *a, *a, *a]\n'.repeat(3)}`, false],
  [`# ${'x'.repeat(300_000)}\n${CORRELATED}`, false],
])('detects whether a workflow declares the deployment id input (%#)', (text, declares) => {
  expect(readInputs(Buffer.from(text)).has('corrigenda_status_id')).toBe(declares)
})
