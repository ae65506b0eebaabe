import { expect, test } from 'vitest'
import { type HarnessOptions, useDeployService } from './test-support/open-deploy-harness.ts'

const openHarness = useDeployService()

const LISTENER = 'name: Publish\non:\n  repository_dispatch:\n    types: [publish-docs]\njobs: {}\n'
const TARGET = { kind: 'repository_dispatch', eventType: 'publish-docs', clientPayload: { site: 'docs' } } as const

async function open(options: HarnessOptions = {}) {
  const harness = await openHarness({ files: { '.github/workflows/docs.yml': LISTENER }, ...options })
  await harness.deployTo(TARGET)
  harness.startWorker()
  return harness
}

test('sends an event and follows the workflow run that it starts', async () => {
  const harness = await open()
  const statusId = await harness.ask()
  const ended = await harness.ended(statusId)
  const [run] = harness.host.workflowRuns(harness.full)
  expect(ended).toMatchObject({ status: 'success', url: `${harness.host.url}/${harness.full}/actions/runs/${run?.id}` })
  expect(JSON.parse(String(run?.inputs.client_payload))).toEqual({
    site: 'docs',
    corrigenda: { statusId, sha: ended.commit?.sha, ref: 'main', jobId: null },
  })
  await harness.host.git(harness.full, 'branch', 'docs/draft', 'main')
  await harness.ended(await harness.ask('docs/draft'))
  const payloads = harness.host
    .workflowRuns(harness.full)
    .map((one) => JSON.parse(String(one.inputs.client_payload)).corrigenda)
  expect(payloads).toContainEqual(
    expect.objectContaining({
      ref: 'docs/draft',
      preview: { branch: 'docs/draft', url: 'https://docs-draft.preview.example.com/' },
    }),
  )
  harness.host.planRuns(harness.full, { conclusion: 'failure' })
  expect(await harness.ended(await harness.ask())).toMatchObject({ status: 'failure' })
  expect(harness.host.workflowRuns(harness.full)).toHaveLength(3)
})

test('succeeds if an event does not start a workflow, and reports that no run could be followed', async () => {
  const harness = await openHarness({ files: { '.github/workflows/docs.yml': LISTENER } })
  harness.startWorker({ limits: { findRunMs: 100 } })
  await harness.deployTo({ ...TARGET, eventType: 'something-else' })
  expect(await harness.ended(await harness.ask())).toMatchObject({
    status: 'success',
    url: null,
    summary: expect.stringMatching(
      /accepted the event something-else, but none of its workflow runs could be followed/,
    ),
  })
  expect(harness.count('repos.createDispatchEvent')).toBe(1)
})

test('sends an event without following it when the token cannot read workflow runs', async () => {
  const harness = await open()
  const refusal = { kind: 'status', status: 403, message: 'Resource not accessible by personal access token' } as const
  harness.host.fault({ op: 'actions.listWorkflowRunsForRepo', ...refusal, times: 1_000 })
  expect(await harness.ended(await harness.ask())).toMatchObject({
    status: 'success',
    summary: expect.stringMatching(/could be followed/),
  })
})

test('sends an event with an App that has no access to actions', async () => {
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
  expect(harness.host.workflowRuns(harness.full)).toHaveLength(1)
})

test('reports how to fix a rejected event', async () => {
  const harness = await open()
  const cases = [
    [403, /cannot send events to acme\/docs-\d+\. Grant it contents: write/],
    [404, /does not exist, or the credential cannot send events to it\. Grant it contents: write/],
    [422, /rejected the request with 422: No\. Correct the deploy target/],
  ] as const
  for (const [status, pattern] of cases) {
    harness.host.fault({ op: 'repos.createDispatchEvent', kind: 'status', status, message: 'No.' })
    const ended = await harness.ended(await harness.ask())
    expect(ended).toMatchObject({ status: 'failure', summary: expect.stringMatching(pattern) })
  }
})
