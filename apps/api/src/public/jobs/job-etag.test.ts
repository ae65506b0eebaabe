import { createTestRun } from '@corrigenda/core/internal/test-support/create-test-run'
import { openSeparateTestDatabase } from '@corrigenda/core/internal/test-support/open-test-database'
import { expect, test } from 'vitest'
import { openTestApi } from '../../test-support/open-test-api.ts'

const SEED = Number(process.env.SEED ?? 1)
const CHANGES = 80
const CALLERS = 6

/** Returns random integers below a bound. A failure can be repeated with its seed (mulberry32). */
function buildRandom(seed: number) {
  let state = seed
  return (bound: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * bound)
  }
}

test('over a random history, ETags differ exactly if bodies do, and no caller is shown an older state', async () => {
  const random = buildRandom(SEED)
  const pick = <T>(...values: T[]): T => values[random(values.length)] as T
  // Each has its own pool, as separate processes do.
  const apis = await Promise.all([1, 2, 3].map(() => openTestApi({}, openSeparateTestDatabase())))
  const [{ database, project, key }] = apis as [(typeof apis)[number]]
  const { jobId: id } = await createTestRun(database, project.id)
  const headers = { authorization: `Bearer ${key}` }

  const change = () =>
    pick(
      { title: pick('A', 'B', null) },
      { summary: pick('A', '\u2028', 'x'.repeat(50_000), null) },
      { phase: pick('preparing' as const, 'editing' as const, 'checking' as const) },
      { costUsd: pick('0.000001', '0.1', null) },
      { metadata: pick({}, { a: '1' }, { a: '2' }) },
      { checks: pick([], [{ name: 'links', status: 'passed', introduced: 0, preexisting: 1, findings: [] }]) },
      // Not part of the body.
      { headCommit: pick('a', 'b') },
    )
  let written = 0
  let isOver = false
  const write = async () => {
    for (let n = 1; n <= CHANGES; n += 1) {
      // The number of turns tells the states of the history apart. Some changes leave it as it is.
      const turns = random(4) === 0 ? written : n
      const updatedAt = new Date(pick(0, 1))
      await database.prisma.job.update({ where: { id }, data: { ...change(), turns, updatedAt } })
      written = turns
    }
    isOver = true
  }

  const bodies = new Map<string, string>()
  const etags = new Map<string, string>()
  const poll = async (caller: number) => {
    let known: { etag: string; turns: number } | null = null
    for (let n = caller; ; n += 1) {
      const isLast = isOver
      const before = written
      const conditional: Record<string, string> = known !== null && n % 3 > 0 ? { 'if-none-match': known.etag } : {}
      const { app } = apis[n % apis.length]!
      const url = `/v2/agent/${project.id}/job/${id}`
      const response = await app.inject({ url, headers: { ...headers, ...conditional } })
      const { statusCode, body } = response
      const etag: string = String(response.headers.etag)
      if (statusCode === 304) expect(etag).toBe(known?.etag)
      else {
        expect(statusCode).toBe(200)
        if ('if-none-match' in conditional) expect(etag).not.toBe(conditional['if-none-match'])
        expect([bodies.get(etag) ?? body, etags.get(body) ?? etag]).toEqual([body, etag])
        bodies.set(etag, body)
        etags.set(body, etag)
      }
      const turns: number = JSON.parse(bodies.get(etag)!).usage.turns
      expect(turns).toBeGreaterThanOrEqual(Math.max(before, known?.turns ?? 0))
      known = { etag, turns }
      if (!isLast) continue
      // All writes have ended.
      const same = await app.inject({ url, headers: { ...headers, 'if-none-match': etag } })
      expect(same.statusCode).toBe(304)
      return known.etag
    }
  }
  const [, ...last] = await Promise.all([write(), ...Array.from({ length: CALLERS }, (_, caller) => poll(caller))])
  expect(new Set(last).size).toBe(1)
  expect(bodies.size).toBeGreaterThan(10)
})
