import type { DeployTarget } from '@corrigenda/contracts'
import { expect, test } from 'vitest'
import { pickRun } from './find-run.ts'
import { declaresCorrelation } from './takes-correlation.ts'
import { countOf, FULL, openDeployBench, toSteps, WORKFLOW } from './test-support/open-deploy-bench.ts'

const FILE = '.github/workflows/docs.yml'
const TARGET = { kind: 'workflow_dispatch', workflow: 'docs.yml' } as const
const CORRELATED = WORKFLOW.replace('Publish the docs', `Publish $${'{{'} inputs.corrigenda_status_id }}`).replace(
  '      stage:',
  '      corrigenda_status_id:\n        required: false\n      stage:',
)

async function open(options: Parameters<typeof openDeployBench>[0] = {}) {
  const bench = await openDeployBench({ files: { [FILE]: WORKFLOW, ...options.files }, ...options })
  await bench.deployTo(TARGET)
  bench.startWorker()
  return bench
}

test.each([
  ['with a personal token', false],
  ['as a GitHub App', true],
])('starts a workflow and follows it to its end %s', async (_as, app) => {
  const bench = await open({ app })
  await bench.deployTo({ ...TARGET, inputs: { stage: 'production' } })
  const ended = await bench.ended(await bench.ask())
  const [run] = bench.host.workflowRuns(FULL)
  const url = `${bench.host.url}/${FULL}/actions/runs/${run?.id}`
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
  const bench = await open()
  const cases = [
    ['failure', 'failure', /concluded with failure\. Read its log: http/],
    ['cancelled', 'failure', /concluded with cancelled/],
    ['timed_out', 'failure', /concluded with timed out/],
    ['skipped', 'failure', /concluded with skipped/],
    ['neutral', 'success', /concluded with neutral/],
  ] as const
  for (const [conclusion, status, says] of cases) {
    bench.host.planRuns(FULL, { conclusion, endsAfter: 0 })
    const ended = await bench.ended(await bench.ask())
    expect(ended).toMatchObject({
      status,
      summary: expect.stringMatching(says),
      url: expect.stringContaining('/runs/'),
    })
  }
})

test('finds the run when the host does not return its id, even when it appears late', async () => {
  const bench = await open()
  bench.host.setRunDetails(FULL, false)
  const first = await bench.ended(await bench.ask())
  bench.host.planRuns(FULL, { unlistedFor: 3, conclusion: 'failure' })
  const second = await bench.ended(await bench.ask())
  expect([first.status, second.status]).toEqual(['success', 'failure'])
  expect(new Set([first.url, second.url]).size).toBe(2)
  expect(bench.host.workflowRuns(FULL)).toHaveLength(2)
})

test('passes the deployment id to a workflow that declares the input and identifies its run by it', async () => {
  const bench = await open({ files: { [FILE]: CORRELATED } })
  bench.host.setRunDetails(FULL, false)
  // Another client starts it at the same moment, slightly earlier.
  const address = `${bench.host.apiUrl}/repos/${FULL}/actions/workflows/docs.yml/dispatches`
  const headers = { authorization: `Bearer ${bench.host.token}`, 'user-agent': 'test' }
  bench.host.fault({
    op: 'actions.createWorkflowDispatch',
    kind: 'delay',
    meanwhile: async () => void (await fetch(address, { method: 'POST', headers, body: '{"ref":"main"}' })),
    match: 'corrigenda_status_id',
  })
  const statusId = await bench.ask()
  const ended = await bench.ended(statusId)
  const [theirs, ours] = bench.host.workflowRuns(FULL)
  expect([theirs?.inputs, ours?.inputs]).toEqual([{}, { corrigenda_status_id: statusId }])
  expect(ended).toMatchObject({ status: 'success', url: expect.stringContaining(String(ours?.id)) })
})

test('does not repeat a dispatch whose response is lost', async () => {
  const bench = await open()
  for (const kind of ['apply-then-reset', 'apply-then-status'] as const) {
    bench.host.fault({ op: 'actions.createWorkflowDispatch', kind })
    expect(await bench.ended(await bench.ask())).toMatchObject({ status: 'success' })
  }
  expect(bench.host.workflowRuns(FULL)).toHaveLength(2)
  expect(countOf(bench.host, 'actions.createWorkflowDispatch')).toBe(2)
})

test('follows a run through an outage of the host', async () => {
  const bench = await open()
  bench.host.planRuns(FULL, { endsAfter: 4 })
  bench.host.fault({ op: 'actions.getWorkflowRun', kind: 'status', status: 502, times: 6 })
  bench.host.fault({ op: 'actions.getWorkflowRun', kind: 'reset', times: 6 })
  expect(await bench.ended(await bench.ask())).toMatchObject({ status: 'success' })
})

test('fails when the run never appears or never ends', async () => {
  const bench = await openDeployBench({ files: { [FILE]: WORKFLOW } })
  await bench.deployTo(TARGET)
  bench.host.setRunDetails(FULL, false)
  bench.host.planRuns(FULL, { unlistedFor: 1_000_000 })
  const patient = bench.startWorker({ limits: { findRunMs: 100 } })
  expect((await bench.ended(await bench.ask())).summary).toMatch(/shows no run of the workflow docs.yml on main/)
  await patient.stop()
  bench.host.planRuns(FULL, { endsAfter: 1_000_000 })
  bench.startWorker({ limits: { workflowMs: 600 } })
  expect((await bench.ended(await bench.ask())).summary).toMatch(/not finished within 0.6 seconds/)
})

test('reports how to fix a refused dispatch', async () => {
  const bench = await open()
  const forbidden = {
    kind: 'status',
    status: 403,
    message: 'Resource not accessible by personal access token',
  } as const
  const cases: [DeployTarget, RegExp][] = [
    [{ ...TARGET, workflow: 'gone.yml' }, /no workflow gone\.yml on its default branch.*actions: write/],
    [{ ...TARGET, ref: 'gone' }, /No ref found for: gone.*workflow_dispatch trigger/],
    [{ ...TARGET, inputs: { nope: '1' } }, /Unexpected inputs provided.*with these inputs/],
    [TARGET, /cannot start workflows of acme\/docs\. Grant it actions: write/],
  ]
  for (const [target, says] of cases) {
    await bench.deployTo(target)
    if (target === TARGET) bench.host.fault({ op: 'actions.createWorkflowDispatch', ...forbidden })
    const ended = await bench.ended(await bench.ask())
    expect(ended).toMatchObject({ status: 'failure', summary: expect.stringMatching(says), url: null })
  }
  expect(bench.host.workflowRuns(FULL)).toEqual([])
})

test('picks the new run with the id in its title, else one of the commit, else the oldest', () => {
  const run = (id: number, title = '', headSha = 'b') => ({
    ...{ id, title, headSha, headBranch: 'main', status: 'queued', conclusion: null, url: '' },
  })
  const look = { seenRuns: [1], statusId: 'dep_1', sha: 'a' }
  expect(pickRun([run(1, 'dep_1', 'a')], look)).toBeNull()
  expect(pickRun([run(3), run(2)], look)?.id).toBe(2)
  expect(pickRun([run(4), run(3, '', 'a'), run(2)], look)?.id).toBe(3)
  expect(pickRun([run(4, 'Publish dep_1'), run(3, '', 'a')], look)?.id).toBe(4)
})

test.each([
  [CORRELATED, true],
  [WORKFLOW, false],
  ['on: workflow_dispatch', false],
  ['{"on": {"workflow_dispatch": {"inputs": {"corrigenda_status_id": {}}}}}', true],
  ['on: [', false],
  [`a: &a [x]\n${'b: [*a, *a, *a, *a]\n'.repeat(3)}`, false],
  [`# ${'x'.repeat(300_000)}\n${CORRELATED}`, false],
])('detects if a workflow declares the input (%#)', (text, declares) => {
  expect(declaresCorrelation(Buffer.from(text))).toBe(declares)
})
