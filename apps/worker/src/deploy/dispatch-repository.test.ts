import { expect, test } from 'vitest'
import { countOf, FULL, openDeployBench } from './test-support/open-deploy-bench.ts'

const LISTENER = 'name: Publish\non:\n  repository_dispatch:\n    types: [publish-docs]\njobs: {}\n'
const TARGET = { kind: 'repository_dispatch', eventType: 'publish-docs', clientPayload: { site: 'docs' } } as const

async function open(options: Parameters<typeof openDeployBench>[0] = {}) {
  const bench = await openDeployBench({ files: { '.github/workflows/docs.yml': LISTENER }, ...options })
  await bench.deployTo(TARGET)
  bench.startWorker()
  return bench
}

test('sends an event and follows the workflow run that it starts', async () => {
  const bench = await open()
  const statusId = await bench.ask()
  const ended = await bench.ended(statusId)
  const [run] = bench.host.workflowRuns(FULL)
  expect(ended).toMatchObject({ status: 'success', url: `${bench.host.url}/${FULL}/actions/runs/${run?.id}` })
  expect(JSON.parse(String(run?.inputs.client_payload))).toEqual({
    site: 'docs',
    corrigenda: { statusId, sha: ended.commit?.sha, ref: 'main', jobId: null },
  })
  bench.host.planRuns(FULL, { conclusion: 'failure' })
  expect(await bench.ended(await bench.ask())).toMatchObject({ status: 'failure' })
  expect(bench.host.workflowRuns(FULL)).toHaveLength(2)
})

test('accepts an event without a workflow and reports that it cannot be followed', async () => {
  const bench = await openDeployBench({ files: { '.github/workflows/docs.yml': LISTENER } })
  bench.startWorker({ limits: { findRunMs: 100 } })
  await bench.deployTo({ ...TARGET, eventType: 'something-else' })
  expect(await bench.ended(await bench.ask())).toMatchObject({
    status: 'success',
    url: null,
    summary: expect.stringMatching(
      /accepted the event something-else, but none of its workflow runs could be followed/,
    ),
  })
  expect(countOf(bench.host, 'repos.createDispatchEvent')).toBe(1)
})

test('sends an event without following it when the token cannot read workflow runs', async () => {
  const bench = await open()
  const refusal = { kind: 'status', status: 403, message: 'Resource not accessible by personal access token' } as const
  bench.host.fault({ op: 'actions.listWorkflowRunsForRepo', ...refusal, times: 1_000 })
  expect(await bench.ended(await bench.ask())).toMatchObject({
    status: 'success',
    summary: expect.stringMatching(/could be followed/),
  })
})

test('sends an event with an App that has no access to actions', async () => {
  const bench = await open({ app: true })
  const refusal = { kind: 'status', status: 422, message: 'The permissions requested are not granted.' } as const
  bench.host.fault({ op: 'apps.createInstallationAccessToken', ...refusal, match: '"actions"', times: 1_000 })
  bench.host.fault({
    op: 'actions.listWorkflowRunsForRepo',
    kind: 'status',
    status: 403,
    message: 'Resource not accessible by integration',
    times: 1_000,
  })
  expect(await bench.ended(await bench.ask())).toMatchObject({ status: 'success' })
  expect(bench.host.workflowRuns(FULL)).toHaveLength(1)
})

test('reports how to fix a refused event', async () => {
  const bench = await open()
  const cases = [
    [403, /cannot send events to acme\/docs\. Grant it contents: write/],
    [404, /does not exist, or the credential cannot send events to it\. Grant it contents: write/],
    [422, /refused the request with 422: No\. Correct the deploy target/],
  ] as const
  for (const [status, says] of cases) {
    bench.host.fault({ op: 'repos.createDispatchEvent', kind: 'status', status, message: 'No.' })
    const ended = await bench.ended(await bench.ask())
    expect(ended).toMatchObject({ status: 'failure', summary: expect.stringMatching(says) })
  }
})
