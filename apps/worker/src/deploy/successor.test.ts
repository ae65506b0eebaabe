import type { ServerResponse } from 'node:http'
import { claimDeployment } from '@corrigenda/core/deployments'
import { readClocks } from '@corrigenda/core/leases'
import { expect, test } from 'vitest'
import { workOnDeployment } from './start-deployer.ts'
import { toSteps, useDeployService, WORKFLOW, waitFor } from './test-support/open-deploy-harness.ts'
import { serveHook } from './test-support/serve-hook.ts'

const openHarness = useDeployService()

/**
 * Prevents lease renewals during a test. An expired lease stays expired, as if the process had
 * stopped.
 */
const DEAF = { leaseSeconds: 3_600 }

test("repeats a dead worker's hook call with the same key and ends the deployment once", async () => {
  const harness = await openHarness()
  const held: ServerResponse[] = []
  const hook = await serveHook((response) => void held.push(response), 200)
  await harness.deployTo({ kind: 'hook', url: hook.url })
  const statusId = await harness.ask()
  const zombie = harness.buildDeps({ ...DEAF, owner: 'zombie', allowedHookHosts: [hook.host] })
  const claim = await claimDeployment(zombie, zombie)
  const work = workOnDeployment(zombie, claim!, readClocks())
  await waitFor(
    () => hook.calls.length,
    (calls) => calls === 1,
  )
  await harness.endLease(statusId)
  harness.startWorker({ allowedHookHosts: [hook.host] })
  const ended = await harness.ended(statusId)
  // The first worker's write is rejected and has no effect.
  held[0]?.writeHead(400).end()
  await work
  expect(await harness.read(statusId)).toEqual(ended)
  expect(ended.status).toBe('success')
  expect(hook.calls.map((call) => call.headers['corrigenda-delivery'])).toEqual([`${statusId}.1.1`, `${statusId}.2.2`])
  expect(new Set(hook.calls.map((call) => call.headers['idempotency-key']))).toEqual(new Set([statusId]))
  expect(harness.lines.join('')).toContain('deployment lease lost; nothing written')
})

test('prevents a worker that lost its lease from calling the hook again', async () => {
  const harness = await openHarness()
  const held: ServerResponse[] = []
  const hold = (response: ServerResponse) => void held.push(response)
  const hook = await serveHook(hold, hold)
  await harness.deployTo({ kind: 'hook', url: hook.url })
  const statusId = await harness.ask()
  const zombie = harness.buildDeps({ ...DEAF, owner: 'zombie', allowedHookHosts: [hook.host] })
  const work = workOnDeployment(zombie, (await claimDeployment(zombie, zombie))!, readClocks())
  await waitFor(
    () => hook.calls.length,
    (calls) => calls === 1,
  )
  await harness.endLease(statusId)
  harness.startWorker({ allowedHookHosts: [hook.host] })
  await waitFor(
    () => hook.calls.length,
    (calls) => calls === 2,
  )
  // The first worker would normally retry while its successor waits for a response.
  held[0]?.writeHead(500).end()
  await work
  expect(hook.calls).toHaveLength(2)
  held[1]?.writeHead(200).end()
  expect(await harness.ended(statusId)).toMatchObject({ status: 'success' })
})

test('stops a worker whose lease has expired according to its own clocks', async () => {
  const harness = await openHarness()
  const hook = await serveHook(200)
  await harness.deployTo({ kind: 'hook', url: hook.url })
  const statusId = await harness.ask()
  const deps = harness.buildDeps({ ...DEAF, allowedHookHosts: [hook.host] })
  const claim = await claimDeployment(deps, deps)
  const { steady, wall } = readClocks()
  // Simulates two hours of machine sleep: no timer has fired, and the database was not queried.
  await workOnDeployment(deps, claim!, { steady, wall: wall - 7_200_000 })
  expect(hook.calls).toEqual([])
  expect(await harness.read(statusId)).toMatchObject({ status: 'in_progress', logs: [] })
})

test('renews the lease during a slow deployment', async () => {
  const harness = await openHarness()
  const held: ServerResponse[] = []
  const hook = await serveHook((response) => void held.push(response))
  await harness.deployTo({ kind: 'hook', url: hook.url })
  const options = { leaseSeconds: 10, allowedHookHosts: [hook.host] }
  harness.startWorker({ ...options, owner: 'one' })
  harness.startWorker({ ...options, owner: 'two' })
  const statusId = await harness.ask()
  const row = () => harness.database.prisma.deployment.findUniqueOrThrow({ where: { id: statusId } })
  const { leaseUntil } = await waitFor(row, (one) => one.leaseUntil !== null)
  await waitFor(row, (one) => Number(one.leaseUntil) > Number(leaseUntil) + 3_000)
  held[0]?.end()
  expect(await harness.ended(statusId)).toMatchObject({ status: 'success' })
  expect([(await row()).attempt, hook.calls.length]).toEqual([1, 1])
})

test('fails a deployment whose workers repeatedly stop', async () => {
  const harness = await openHarness()
  const hook = await serveHook(200)
  await harness.deployTo({ kind: 'hook', url: hook.url })
  const statusId = await harness.ask()
  const deps = harness.buildDeps()
  for (let n = 0; n < 3; n += 1) {
    expect(await claimDeployment(deps, deps)).toMatchObject({ attemptsUsed: n + 1 })
    await harness.endLease(statusId)
  }
  harness.startWorker({ allowedHookHosts: [hook.host] })
  expect(await harness.ended(statusId)).toMatchObject({
    status: 'failure',
    summary: expect.stringMatching(/started 3 times, and its worker stopped each time/),
  })
  expect(hook.calls).toEqual([])
})

test("follows the previous worker's run and does not start a second one", async () => {
  const harness = await openHarness({ files: { '.github/workflows/docs.yml': WORKFLOW } })
  harness.host.planRuns(harness.full, { endsAfter: 1_000_000 })
  await harness.deployTo({ kind: 'workflow_dispatch', workflow: 'docs.yml' })
  const statusId = await harness.ask()
  const first = harness.startWorker()
  await waitFor(
    () => harness.read(statusId),
    (one) => one.url !== null,
  )
  await first.stop()
  harness.startWorker()
  await waitFor(
    () => harness.read(statusId),
    (one) => toSteps(one).includes('Another worker continues this deployment.'),
  )
  harness.host.endRuns(harness.full, 'success')
  expect(await harness.ended(statusId)).toMatchObject({ status: 'success' })
  expect(harness.count('actions.createWorkflowDispatch')).toBe(1)
  expect(harness.host.workflowRuns(harness.full)).toHaveLength(1)
})

test.each([
  ['was sent', 1],
  ['was not sent', 0],
])('starts only one run when a worker dies and its dispatch %s', async (_when, sent) => {
  const harness = await openHarness({ files: { '.github/workflows/docs.yml': WORKFLOW } })
  await harness.deployTo({ kind: 'workflow_dispatch', workflow: 'docs.yml' })
  const statusId = await harness.ask()
  const deps = harness.buildDeps()
  const claim = await claimDeployment(deps, deps)
  // The progress that the worker stored before it died.
  const progress = { calls: 0, dispatch: { seenRuns: [], times: 1 }, runId: null }
  await harness.database.prisma.deployment.update({ where: { id: claim!.statusId }, data: { progress } })
  const dispatch = { method: 'POST', headers: { authorization: `Bearer ${harness.host.token}`, 'user-agent': 'test' } }
  const address = `${harness.host.apiUrl}/repos/${harness.full}/actions/workflows/docs.yml/dispatches`
  if (sent) await fetch(address, { ...dispatch, body: '{"ref":"main"}' })
  await harness.endLease(statusId)
  harness.startWorker({ limits: { findRunMs: 100 } })
  expect(await harness.ended(statusId)).toMatchObject({ status: 'success' })
  expect(harness.host.workflowRuns(harness.full)).toHaveLength(1)
})
