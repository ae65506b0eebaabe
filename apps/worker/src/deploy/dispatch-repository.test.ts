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

test('an event is sent, and the run that listens is followed', async () => {
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

test('an event that no workflow listens to is accepted, and says that it could not be followed', async () => {
  const bench = await openDeployBench({ files: { '.github/workflows/docs.yml': LISTENER } })
  bench.startWorker({ limits: { findRunMs: 100 } })
  await bench.deployTo({ ...TARGET, eventType: 'something-else' })
  expect(await bench.ended(await bench.ask())).toMatchObject({
    status: 'success',
    url: null,
    summary: expect.stringMatching(/accepted the event something-else, but no workflow run of it could be followed/),
  })
  expect(countOf(bench.host, 'repos.createDispatchEvent')).toBe(1)
})

test('who may send events but not see runs sends them unfollowed', async () => {
  const bench = await open()
  const refusal = { kind: 'status', status: 403, message: 'Resource not accessible by personal access token' } as const
  bench.host.fault({ op: 'actions.listWorkflowRunsForRepo', ...refusal, times: 1_000 })
  expect(await bench.ended(await bench.ask())).toMatchObject({
    status: 'success',
    summary: expect.stringMatching(/could be followed/),
  })
})

test('an App that may not use actions still sends the event', async () => {
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

test('what the host refuses says what to mend', async () => {
  const bench = await open()
  const cases = [
    [403, /may not send events to acme\/docs\. Grant it contents: write/],
    [404, /cannot be found, or the credential may not send events to it\. Grant it contents: write/],
    [422, /refused the request with 422: No\. Correct the deploy target/],
  ] as const
  for (const [status, says] of cases) {
    bench.host.fault({ op: 'repos.createDispatchEvent', kind: 'status', status, message: 'No.' })
    const ended = await bench.ended(await bench.ask())
    expect(ended).toMatchObject({ status: 'failure', summary: expect.stringMatching(says) })
  }
})
