import { expect, test } from 'vitest'
import { getJob } from '../jobs/get-job.ts'
import { claim, createTestRun, freeze } from '../test-support/create-test-run.ts'
import { openTestDatabase } from '../test-support/open-test-database.ts'
import { finishRun, type RunOutcome } from './finish-run.ts'
import { recordPush } from './record-push.ts'
import { startRun } from './start-run.ts'

async function endWith(outcome: (jobId: string) => RunOutcome, pushed = false) {
  const database = openTestDatabase()
  const run = await createTestRun(database)
  const held = await claim(database, run.runId)
  await startRun(database, held!, { baseBranch: 'main', baseCommit: 'c0', branch: `corrigenda/${run.jobId}` })
  if (pushed) {
    await freeze(database, held!)
    await recordPush(database, held!, { branch: `corrigenda/${run.jobId}`, commit: 'c1' })
  }
  await finishRun(database, held!, outcome(run.jobId))
  return getJob(database, { projectId: run.projectId, id: run.jobId })
}

const pull = (jobId: string) => ({
  number: 7,
  url: `https://github.com/acme/docs/pull/${jobId}`,
  branch: `corrigenda/${jobId}`,
  state: 'open' as const,
  draft: false,
})

test('changed: completes the job with a link and a branch', async () => {
  const job = await endWith((id) => ({ kind: 'changed', pullRequest: pull(id) }), true)
  expect(job).toMatchObject({
    status: 'completed',
    outcome: 'changed',
    phase: null,
    failure: null,
    pullRequest: pull(job.id),
  })
  expect([job.prLink, job.source.ref]).toEqual([pull(job.id).url, `corrigenda/${job.id}`])
  expect(job.finishedAt).not.toBeNull()
})

test.each(['no_changes', 'needs_input'] as const)('%s: completes the job without a link or a branch', async (kind) => {
  const job = await endWith(() => ({ kind, summary: 'The page is correct \u0000 \ud800.', checks: [] }))
  expect(job).toMatchObject({
    status: 'completed',
    outcome: kind,
    prLink: null,
    pullRequest: null,
    source: { ref: null },
  })
  expect(job.summary).toBe('The page is correct \ufffd \ufffd.')
})

test('failed: shows the branch on the job only after a push', async () => {
  const early = await endWith(() => ({ kind: 'failed', code: 'impossible', message: 'No facts.' }))
  expect(early).toMatchObject({
    status: 'failed',
    outcome: 'failed',
    failure: { code: 'impossible', message: 'No facts.' },
    source: { ref: null },
  })
  const late = await endWith(() => ({ kind: 'failed', code: 'internal_error', message: 'y' }), true)
  expect(late.source.ref).toBe(`corrigenda/${late.id}`)
})

test('cancelled: ends the job with the status failed and the outcome cancelled', async () => {
  const job = await endWith(() => ({ kind: 'cancelled' }))
  expect(job).toMatchObject({ status: 'failed', outcome: 'cancelled', failure: { code: 'cancelled' }, prLink: null })
})

test('cancelled after the push: shows the branch on the job unless the branch was removed', async () => {
  const kept = await endWith(() => ({ kind: 'cancelled', branchRemoved: false }), true)
  expect(kept.source.ref).toBe(`corrigenda/${kept.id}`)
  const removed = await endWith(() => ({ kind: 'cancelled', branchRemoved: true }), true)
  expect(removed.source.ref).toBeNull()
})

test('fails without retries when the pull request belongs to another job', async () => {
  const database = openTestDatabase()
  const [first, second] = [await createTestRun(database), await createTestRun(database)]
  for (const run of [first, second]) {
    const held = await claim(database, run.runId)
    await freeze(database, held!)
    await recordPush(database, held!, { branch: 'same', commit: 'c1' })
    await finishRun(database, held!, { kind: 'changed', pullRequest: { ...pull(first.jobId), branch: 'same' } })
  }
  const read = (run: typeof first) => getJob(database, { projectId: run.projectId, id: run.jobId })
  expect(await read(first)).toMatchObject({ status: 'completed', prLink: pull(first.jobId).url })
  expect(await read(second)).toMatchObject({
    status: 'failed',
    failure: { code: 'pull_request_conflict' },
    prLink: null,
  })
})
