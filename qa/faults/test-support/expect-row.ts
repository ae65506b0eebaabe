import type { TestService } from '@corrigenda/worker/internal/e2e/test-support/open-test-service'
import { expect } from 'vitest'
import type { FaultScenario } from './fault-row.ts'
import type { RowResult, Wait } from './open-fault-harness.ts'
import type { TranscriptRecord } from './row-job.ts'

/** Checks a row's expectations and the invariants that apply to every row. */
export async function expectRow(service: TestService, result: RowResult): Promise<void> {
  const { row, job, run, waits } = result
  const { code, message, attemptsUsed, waitsUsed } = { ...row, ...row.expect }
  const ended = code === null ? { status: 'completed', outcome: 'changed' } : { status: 'failed', outcome: 'failed' }
  expect(job).toMatchObject({ ...ended, phase: null })
  expect(job.failure?.code ?? null).toBe(code)
  if (message) expect(job.failure?.message).toMatch(message)
  const toWaits = (reason: Wait['reason'], list: readonly number[]) => list.map((seconds) => ({ reason, seconds }))
  expectWaits(
    waits,
    [...toWaits('waiting', row.expect.waits), ...toWaits('error', row.expect.retries)],
    result.impatient,
  )
  // A wait requested by a server does not use an attempt. A wait chosen by the service does.
  const asked = waits.filter((wait) => wait.reason === 'waiting').length
  expect(run.releases).toBe(waitsUsed + asked)
  expect(run.attempt).toBe(attemptsUsed + waitsUsed + waits.length + 1)
  await expectHost(service, result)
  expectModel(service, row)
  expectTranscript(job.transcript, row, job.usage.turns)
  expectNoSecret(service, JSON.stringify([job.failure, job.summary, job.title]))
}

/**
 * Compares the waits with a tolerance, because events are recorded slightly after the decision.
 * With short deadlines, a busy machine may need more retries.
 */
function expectWaits(waits: readonly Wait[], expected: readonly Wait[], impatient: boolean): void {
  const compared = impatient && expected.length > 0 ? waits.slice(0, expected.length) : waits
  expect(compared.map(({ reason }) => reason)).toEqual(expected.map(({ reason }) => reason))
  for (const [index, { seconds }] of expected.entries()) {
    expect(waits[index]?.seconds).toBeGreaterThan(seconds - Math.max(3, seconds / 10))
    expect(waits[index]?.seconds).toBeLessThan(seconds + 3)
  }
}

async function expectHost({ host }: TestService, { row, full, job }: RowResult): Promise<void> {
  const completes = row.expect.code === null
  const { pulls = completes ? 1 : 0, pushed = completes } = row.expect
  const present = findPresentName(host, full)
  const branch = row.request.branch ?? `corrigenda/${job.id}`
  const found = present === null ? [] : host.pulls(present).filter((pull) => pull.headRef === branch)
  expect(found).toHaveLength(pulls)
  if (completes) {
    expect(job.prLink).toBe(`${host.repositoryUrl(present ?? full)}/pull/${found[0]?.number}`)
    expect(job.pullRequest?.state).toBe(found[0]?.mergedAt ? 'merged' : found[0]?.state)
  } else expect(job.prLink).toBeNull()
  const listPushes = () =>
    host
      .stats()
      .refUpdates.filter(({ repo, via }) => via === 'push' && (repo === full || repo === present))
      .filter(({ ref }) => ref === `refs/heads/${branch}`)
  // The host records a push shortly after its branch becomes visible.
  await expect.poll(listPushes).toHaveLength(pushed ? 1 : 0)
}

function findPresentName(host: TestService['host'], full: string): string | null {
  for (const name of [full, `${full}-renamed`]) {
    try {
      host.pulls(name)
      return name
    } catch {
      // Deleted, renamed or never created.
    }
  }
  return null
}

function expectModel({ model }: TestService, row: FaultScenario): void {
  const calls = model.requests.filter((one) => one.label?.startsWith(`${row.id}/`))
  const faulty = calls.filter((one) => one.fault !== undefined)
  if (row.expect.modelFaults !== undefined) expect(faulty).toHaveLength(row.expect.modelFaults)
  if (row.expect.spacingMs === undefined) return
  for (const one of faulty) {
    const next = calls.find((later) => later.at > one.at)
    expect((next?.at ?? 0) - one.at).toBeGreaterThanOrEqual(row.expect.spacingMs)
  }
}

/**
 * Checks that all turns are complete, without gaps or duplicates. Every reply must have a stop
 * reason and usage, and every call one result.
 */
function expectTranscript(rows: readonly TranscriptRecord[], row: FaultScenario, turns: number): void {
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index))
  const replies = rows.filter(({ role }) => role === 'assistant')
  expect(replies).toHaveLength(turns)
  for (const reply of replies) {
    expect(reply.stopReason).toEqual(expect.any(String))
    expect(reply.usage).toMatchObject({ outputTokens: expect.any(Number) })
  }
  const conversations = new Set(rows.map(({ conversation }) => conversation)).size
  if (rows.length > 0) expect(conversations).toBe(row.expect.conversations)
  for (const [index, record] of rows.entries()) {
    if (record.role !== 'assistant') continue
    const next = rows[index + 1]
    if (next === undefined || next.role === 'header') continue
    expect(next.role).toBe('user')
    expect(listIds(next.content, 'tool_result', 'tool_use_id')).toEqual(listIds(record.content, 'tool_use', 'id'))
  }
}

function listIds(content: unknown, type: string, key: string): unknown[] {
  const blocks = Array.isArray(content) ? content : []
  return blocks.filter((block) => block.type === type).map((block) => block[key])
}

/** Checks that the text contains no credentials, local paths or stack traces. */
export function expectNoSecret({ host, model, config }: TestService, text: string): void {
  const { source } = config.github
  const keys = source?.kind === 'app' ? source.privateKey.split('\n').slice(1, 3) : source ? [source.token] : []
  for (const secret of [host.token, model.key, config.secret, config.databaseUrl, config.cacheDir, ...keys]) {
    expect(text).not.toContain(secret)
  }
  expect(text).not.toMatch(/\bat \S+ \(|file:\/\/|node_modules|Bearer|Basic /)
}
