import { expect, test } from 'vitest'
import { countOf, FULL, openDeployHarness } from './test-support/open-deploy-harness.ts'

const LISTENER = 'name: Publish\non:\n  repository_dispatch:\n    types: [publish-docs]\njobs: {}\n'
const TARGET = { kind: 'repository_dispatch', eventType: 'publish-docs', clientPayload: { site: 'docs' } } as const

async function open(options: Parameters<typeof openDeployHarness>[0] = {}) {
  const harness = await openDeployHarness({ files: { '.github/workflows/docs.yml': LISTENER }, ...options })
  await harness.deployTo(TARGET)
  harness.startWorker()
  return harness
}

test('an event is sent, and the run that listens is followed', async () => {
  const harness = await open()
  const statusId = await harness.ask()
  const ended = await harness.ended(statusId)
  const [run] = harness.host.workflowRuns(FULL)
  expect(ended).toMatchObject({ status: 'success', url: `${harness.host.url}/${FULL}/actions/runs/${run?.id}` })
  expect(JSON.parse(String(run?.inputs.client_payload))).toEqual({
    site: 'docs',
    corrigenda: { statusId, sha: ended.commit?.sha, ref: 'main', jobId: null },
  })
  harness.host.planRuns(FULL, { conclusion: 'failure' })
  expect(await harness.ended(await harness.ask())).toMatchObject({ status: 'failure' })
  expect(harness.host.workflowRuns(FULL)).toHaveLength(2)
})

test('an event that no workflow listens to is accepted, and says that it could not be followed', async () => {
  const harness = await openDeployHarness({ files: { '.github/workflows/docs.yml': LISTENER } })
  harness.startWorker({ limits: { findRunMs: 100 } })
  await harness.deployTo({ ...TARGET, eventType: 'something-else' })
  expect(await harness.ended(await harness.ask())).toMatchObject({
    status: 'success',
    url: null,
    summary: expect.stringMatching(/accepted the event something-else, but no workflow run of it could be followed/),
  })
  expect(countOf(harness.host, 'repos.createDispatchEvent')).toBe(1)
})

test('who may send events but not see runs sends them unfollowed', async () => {
  const harness = await open()
  const refusal = { kind: 'status', status: 403, message: 'Resource not accessible by personal access token' } as const
  harness.host.fault({ op: 'actions.listWorkflowRunsForRepo', ...refusal, times: 1_000 })
  expect(await harness.ended(await harness.ask())).toMatchObject({
    status: 'success',
    summary: expect.stringMatching(/could be followed/),
  })
})

test('an App that may not use actions still sends the event', async () => {
  const harness = await open({ app: true })
  const refusal = { kind: 'status', status: 422, message: 'The permissions requested are not granted.' } as const
  harness.host.fault({ op: 'apps.createInstallationAccessToken', ...refusal, match: '"actions"', times: 1_000 })
  harness.host.fault({
    op: 'actions.listWorkflowRunsForRepo',
    kind: 'status',
    status: 403,
    message: 'Resource not accessible by integration',
    times: 1_000,
  })
  expect(await harness.ended(await harness.ask())).toMatchObject({ status: 'success' })
  expect(harness.host.workflowRuns(FULL)).toHaveLength(1)
})

test('what the host refuses says what to mend', async () => {
  const harness = await open()
  const cases = [
    [403, /may not send events to acme\/docs\. Grant it contents: write/],
    [404, /cannot be found, or the credential may not send events to it\. Grant it contents: write/],
    [422, /refused the request with 422: No\. Correct the deploy target/],
  ] as const
  for (const [status, says] of cases) {
    harness.host.fault({ op: 'repos.createDispatchEvent', kind: 'status', status, message: 'No.' })
    const ended = await harness.ended(await harness.ask())
    expect(ended).toMatchObject({ status: 'failure', summary: expect.stringMatching(says) })
  }
})
