import { LostLeaseError } from '@corrigenda/core/base'
import { readClocks } from '@corrigenda/core/leases'
import { claimRun } from '@corrigenda/core/runs'
import { scriptPrompt } from '@corrigenda/testkit'
import {
  editPage,
  openTestService,
  type TestService,
} from '@corrigenda/worker/internal/e2e/test-support/open-test-service'
import { type HeldRun, holdRun } from '@corrigenda/worker/internal/run/hold-run'
import { prepareRun } from '@corrigenda/worker/internal/run/prepare-run'
import type { RunPoint } from '@corrigenda/worker/internal/run/run-point'
import { runPublishPhase } from '@corrigenda/worker/internal/run/run-publish-phase'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readHost } from './test-support/read-world.ts'
import { openRunDeps, startZombie } from './test-support/start-zombie.ts'

let service: TestService
beforeAll(async () => {
  service = await openTestService('postgres')
})
afterAll(() => service.close())

/**
 * Publishes a frozen run in a worker that is stopped at a point for longer than its lease. Its
 * clocks show the expiry, but no timer has run yet to abort the work.
 */
async function publishStoppedAt(at: RunPoint, page: number) {
  const { id } = await service.create(scriptPrompt('Edit.', [editPage(page, 'By a zombie.')]))
  const first = await startZombie(service, 'run.frozen')
  await first.loseLease()
  const { deps, close } = await openRunDeps(service)
  const claim = await claimRun(deps, { owner: 'zombie' })
  await first.notified
  await first.awake()
  const control = new AbortController()
  let lapsed = false
  const lease: HeldRun = {
    signal: control.signal,
    assertHeld() {
      if (lapsed) control.abort(new LostLeaseError('run'))
      control.signal.throwIfAborted()
    },
    protect: (work) => work(),
    stop: () => {},
  }
  const stopping = {
    ...deps,
    async onPoint(point: RunPoint) {
      if (point === at) lapsed = true
    },
  }
  try {
    await using prepared = await prepareRun(stopping, claim!, control.signal)
    const frozen = { publish: claim!.frozen!, built: null }
    const published = await runPublishPhase(stopping, prepared, frozen, lease).catch(() => 'refused')
    return { published, ...(await readHost(service, id)) }
  } finally {
    await close()
    await service.database.prisma.$executeRaw`UPDATE runs SET next_run_at = now() + interval '1 hour' WHERE active`
  }
}

test('a worker whose lease expired before the push does not push', async () => {
  expect(await publishStoppedAt('branch.pushing', 1)).toEqual({ published: 'refused', branches: [], pulls: [] })
  expect(service.host.stats().operations).not.toHaveProperty('git.push')
})

test('a worker whose lease expired after the push opens no pull request', async () => {
  const after = await publishStoppedAt('pull.opening', 2)
  expect(after).toMatchObject({ published: 'refused', pulls: [] })
  expect(after.branches).toHaveLength(1)
  expect(service.host.stats().operations).not.toHaveProperty('pulls.create')
})

test('a worker whose heartbeats hang stops its work once the lease has expired', async () => {
  const { deps, close } = await openRunDeps(service)
  await service.create('Wait.')
  const rules = { ...deps, leaseSeconds: 1 }
  const claimedAt = readClocks()
  const claim = await claimRun(rules, { owner: 'test' })
  // Another connection locks the row, like a process that was stopped inside a transaction.
  const holder = await service.database.pool.connect()
  await holder.query('BEGIN')
  await holder.query('SELECT 1 FROM runs WHERE id = $1 FOR UPDATE', [claim!.runId])
  const lease = holdRun(rules, claim!, { claimedAt })
  try {
    await expect.poll(() => lease.signal.aborted).toBe(true)
    expect(lease.signal.reason).toMatchObject({ name: 'LostLeaseError' })
  } finally {
    lease.stop()
    await holder.query('ROLLBACK')
    holder.release()
    await close()
  }
})
