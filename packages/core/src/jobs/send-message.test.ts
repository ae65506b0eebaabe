import { expect, test } from 'vitest'
import { finishRun } from '../runs/finish-run.ts'
import { recordPush } from '../runs/record-push.ts'
import { restartRun } from '../runs/release-run.ts'
import { saveTurn } from '../runs/save-turn.ts'
import { listPendingMessages } from '../runs/start-follow-up.ts'
import { claim, freeze } from '../test-support/create-test-run.ts'
import { archiveJob } from './archive-job.ts'
import { cancelJob } from './cancel-job.ts'
import { sendMessage } from './send-message.ts'
import { openMessages } from './test-support/open-messages.ts'

const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0.5, turns: 2 }

test('reactivates a job that has ended, keeps its pull request and clears prLink', async () => {
  const { database, run, woken, send, claimNext, publish, read, types } = await openMessages()
  const first = (await claim(database, run.runId))!
  await saveTurn(database, first, { rows: [], files: [], usage, events: [] })
  await publish(first)
  const job = await send('And the other page.')
  expect(job).toMatchObject({ status: 'active', phase: 'queued', outcome: null, prLink: null, finishedAt: null })
  expect(job.pullRequest).toMatchObject({ number: 1, state: 'open' })
  expect(woken()).toBe(1)
  const next = (await claimNext())!
  expect(next).toMatchObject({
    prompt: 'And the other page.',
    seq: 2,
    base: null,
    frozen: null,
    earlier: {
      prompts: ['Fix it.'],
      summary: 's',
      branch: { name: 'b', base: 'main', baseCommit: null, pullNumber: 1 },
    },
  })
  await saveTurn(database, next, { rows: [], files: [], usage, events: [] })
  await publish(next)
  expect(await read()).toMatchObject({ status: 'completed', prLink: `https://x/${run.jobId}`, outcome: 'changed' })
  // The job's usage is the total of both runs.
  expect((await read()).usage).toMatchObject({ inputTokens: 20, turns: 4, costUsd: 1 })
  expect((await types()).filter((type) => type === 'job.completed')).toHaveLength(2)
})

test('delivers a message to an active job before its next turn, or in a separate run after the last turn', async () => {
  const { database, run, send, claimNext, publish, read, types } = await openMessages()
  const held = (await claim(database, run.runId))!
  expect(await send('Also this.')).toMatchObject({ status: 'active', phase: 'preparing' })
  const [message] = await listPendingMessages(database.prisma, run.jobId)
  expect(message?.prompt).toBe('Also this.')
  await saveTurn(database, held, { rows: [], files: [], usage, events: [], delivers: [message!.id] })
  expect(await listPendingMessages(database.prisma, run.jobId)).toEqual([])
  await send('Too late.')
  await send('Too late as well.')
  await publish(held)
  expect(await read()).toMatchObject({ status: 'active', phase: 'queued', prLink: null, pullRequest: { number: 1 } })
  const next = (await claimNext())!
  expect(next).toMatchObject({
    prompt: 'Too late.\n\nToo late as well.',
    earlier: { prompts: ['Fix it.', 'Also this.'] },
  })
  await finishRun(database, next, { kind: 'no_changes', summary: 'Nothing to do.', checks: [] })
  // The job keeps the first run's pull request.
  expect(await read()).toMatchObject({ status: 'completed', outcome: 'no_changes', prLink: `https://x/${run.jobId}` })
  expect(await types()).toEqual(expect.arrayContaining(['message.received', 'message.delivered', 'run.ended']))
  expect((await types()).filter((type) => type === 'job.completed')).toHaveLength(1)
})

test('a follow-up reads the first prompt and the newest 50 of the earlier messages', async () => {
  const { database, run, send, claimNext, publish } = await openMessages()
  await publish((await claim(database, run.runId))!)
  await database.prisma.jobMessage.createMany({
    data: Array.from({ length: 120 }, (_, index) => ({
      id: `msg_${run.jobId}${index}`,
      jobId: run.jobId,
      projectId: run.projectId,
      prompt: `${index}`,
      runId: run.runId,
      takenAt: new Date(),
      createdAt: new Date(1_700_000_000_000 + index),
    })),
  })
  await send('More.')
  const newest = Array.from({ length: 50 }, (_, index) => `${index + 70}`)
  expect((await claimNext())?.earlier?.prompts).toEqual(['Fix it.', ...newest])
})

test('a follow-up of a cancelled run reads which commit the run may have pushed', async () => {
  const { database, run, deps, key, send, claimNext } = await openMessages()
  await freeze(database, (await claim(database, run.runId))!)
  await cancelJob(deps, key)
  await send('Again.')
  const abandoned = [{ branch: 'b', commit: 'c'.repeat(40) }]
  expect((await claimNext())?.earlier).toMatchObject({ branch: null, abandoned })
})

test('delivers many long messages in parts, in order, and gives a follow-up only the start of earlier ones', async () => {
  const { database, run, send, claimNext } = await openMessages()
  const held = (await claim(database, run.runId))!
  const letters = ['a', 'b', 'c', 'd', 'e']
  for (const letter of letters) await send(letter.repeat(400_000))
  const pending = async () =>
    (await listPendingMessages(database.prisma, run.jobId)).map(({ id, prompt }) => ({ id, letter: prompt[0] }))
  const first = await pending()
  expect(first.map(({ letter }) => letter)).toEqual(['a', 'b', 'c'])
  await saveTurn(database, held, { rows: [], files: [], usage, events: [], delivers: first.map(({ id }) => id) })
  expect((await pending()).map(({ letter }) => letter)).toEqual(['d', 'e'])
  await finishRun(database, held, { kind: 'no_changes', summary: '', checks: [] })
  const next = (await claimNext())!
  expect(next.prompt).toHaveLength(800_002)
  expect(next.earlier?.prompts.map((prompt) => `${prompt[0]} ${prompt.length}`)).toEqual([
    'F 7',
    ...['a', 'b', 'c'].map((letter) => `${letter} 20000`),
  ])
})

test('delivers a message that arrives while the run is ending', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { database, run, send, claimNext, read } = await openMessages()
    const held = (await claim(database, run.runId))!
    await Promise.all([
      send('Just in time.'),
      finishRun(database, held, { kind: 'no_changes', summary: '', checks: [] }),
    ])
    expect((await read()).status).toBe('active')
    expect((await claimNext())?.prompt).toBe('Just in time.')
  }
})

test('delivers each message exactly once when several arrive concurrently after the job has ended', async () => {
  const { database, run, send, claimNext } = await openMessages()
  await finishRun(database, (await claim(database, run.runId))!, { kind: 'no_changes', summary: '', checks: [] })
  await Promise.all([send('one'), send('two'), send('three')])
  const prompts: string[] = []
  for (let next = await claimNext(); next; next = await claimNext()) {
    prompts.push(...next.prompt.split('\n\n'))
    await finishRun(database, next, { kind: 'no_changes', summary: '', checks: [] })
  }
  expect(prompts.toSorted()).toEqual(['one', 'three', 'two'])
})

test('drops undelivered messages on cancel and starts a new run for a later message', async () => {
  const { database, run, deps, key, send, claimNext } = await openMessages()
  await claim(database, run.runId)
  await send('Never told.')
  expect(await cancelJob(deps, key)).toMatchObject({ outcome: 'cancelled' })
  await send('After all.')
  expect((await claimNext())?.prompt).toBe('After all.')
})

test('restarts a follow-up with all its messages when a user pushes to the branch during the run', async () => {
  const { database, run, send, claimNext, publish } = await openMessages()
  await publish((await claim(database, run.runId))!)
  await send('Second.')
  const held = (await claimNext())!
  await send('Third.')
  const [message] = await listPendingMessages(database.prisma, run.jobId)
  await saveTurn(database, held, { rows: [], files: [], usage, events: [], delivers: [message!.id] })
  await restartRun(database, held)
  const again = (await claimNext())!
  expect(again).toMatchObject({
    prompt: 'Second.\n\nThird.',
    counters: { restarts: 1 },
    base: null,
    earlier: { prompts: ['Fix it.'] },
  })
  await expect(restartRun(database, held)).rejects.toThrow('lease')
})

test('rejects messages to archived jobs and closed pull requests', async () => {
  const { database, run, deps, key, send, publish } = await openMessages()
  await publish((await claim(database, run.runId))!)
  await database.prisma.job.update({ where: { id: run.jobId }, data: { prState: 'merged' } })
  await expect(send('More.')).rejects.toMatchObject({ code: 'pull_request_closed' })
  await database.prisma.job.update({ where: { id: run.jobId }, data: { prState: 'open' } })
  await archiveJob(deps, key)
  await expect(send('More.')).rejects.toMatchObject({ code: 'job_archived' })
  await expect(
    sendMessage(deps, { ...key, projectId: 'prj_other', request: { prompt: 'x' }, idempotencyKey: null }),
  ).rejects.toMatchObject({ code: 'not_found' })
})

test('counts messages exactly against a separate hourly quota and does not count a replay', async () => {
  const { send } = await openMessages(3)
  const results = await Promise.allSettled(Array.from({ length: 6 }, (_, n) => send(`Message ${n}`)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  await expect(send('One more.')).rejects.toMatchObject({
    code: 'quota_exceeded',
    retryAfterSeconds: expect.any(Number),
  })
  const other = await openMessages(2)
  const first = await other.send('Once.', 'key-1')
  expect(await other.send('Once.', 'key-1')).toEqual(first)
  await expect(other.send('Twice.', 'key-1')).rejects.toMatchObject({ code: 'idempotency_mismatch' })
  expect(await listPendingMessages(other.database.prisma, other.run.jobId)).toHaveLength(1)
})

test('drops only messages sent before a pending cancel request', async () => {
  for (const isOpen of [true, false]) {
    const { database, deps, run, key, send, claimNext, read } = await openMessages()
    const held = (await claim(database, run.runId))!
    await freeze(database, held)
    await recordPush(database, held, { branch: 'b', commit: 'c' })
    await send('Before.')
    const cancelling = cancelJob(deps, key).catch(({ code }) => ({ code }))
    await expect
      .poll(async () => (await database.prisma.run.findUniqueOrThrow({ where: { id: run.runId } })).cancelRequestedAt)
      .not.toBeNull()
    const pullRequest = { number: 1, url: `https://x/${run.jobId}`, branch: 'b', state: 'open', draft: false } as const
    const ending = isOpen ? ({ kind: 'changed', pullRequest } as const) : ({ kind: 'cancelled' } as const)
    if (isOpen) {
      await finishRun(database, held, ending)
      expect(await cancelling).toMatchObject({ code: 'job_ended' })
      expect(await read()).toMatchObject({ status: 'completed', outcome: 'changed' })
    } else {
      await send('After.')
      await finishRun(database, held, ending)
      // The later message continues the job, although the request to cancel is still waiting.
      expect(await cancelling).toMatchObject({ code: 'job_ended' })
      expect((await claimNext())?.prompt).toBe('After.')
    }
    const messages = await database.prisma.jobMessage.findMany({ where: { jobId: run.jobId }, orderBy: { id: 'asc' } })
    expect(messages.map(({ prompt, droppedAt }) => [prompt, droppedAt !== null])).toEqual(
      isOpen
        ? [['Before.', true]]
        : [
            ['Before.', true],
            ['After.', false],
          ],
    )
  }
})

test('sends a comment on the pull request once', async () => {
  const { database, deps, run, key } = await openMessages()
  const remark = { jobId: run.jobId, id: 'line:1', author: 'ada', body: 'Hello.' }
  await database.prisma.pullRequestRemark.create({ data: remark })
  const send = () => sendMessage(deps, { ...key, request: { prompt: 'x' }, idempotencyKey: null, remarks: ['line:1'] })
  await send()
  await expect(send()).rejects.toMatchObject({ code: 'idempotency_in_flight' })
  expect(await database.prisma.jobMessage.count({ where: { jobId: run.jobId } })).toBe(1)
})
