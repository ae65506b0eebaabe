import { expect, onTestFinished } from 'vitest'
import { type Claim, claimRun } from '../../runs/claim-run.ts'
import type { Log } from '../../runtime/open-log.ts'
import { CLAIM_RULES, createTestRun, silent } from '../../test-support/create-test-run.ts'
import { openOwnTestDatabase } from '../../test-support/open-test-database.ts'
import { recordHeartbeat } from '../../workers/record-heartbeat.ts'
import { watchWorkers } from '../watch-workers.ts'

/** Opens a database for workers that watch each other. */
export async function openWorkers() {
  const database = await openOwnTestDatabase()
  const { pool, prisma } = database
  const url = String(pool.options.connectionString)
  let wakeUps = 0
  const queue = {
    wakeWorker: async () => {
      wakeUps += 1
    },
  }
  /** Returns the backends of the sessions of a worker. */
  const listBackends = async (owner: string): Promise<number[]> => {
    const sql = `SELECT pid FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE locktype = 'advisory' AND application_name = $1`
    return (await pool.query(sql, [`corrigenda-worker ${owner}`])).rows.map(({ pid }) => pid)
  }
  const beat = (id: string, busy: number) =>
    recordHeartbeat(database, {
      ...{ id, host: 'h', pid: 1, version: '1', slots: 4, busy, queue: 'redis', modelKind: 'anthropic' },
      modelBaseUrl: 'https://api.anthropic.com',
      models: [],
    })
  return {
    ...database,
    beat,
    url,
    countWakeUps: () => wakeUps,
    /** Starts a worker's session. Closing it is what the end of the worker's process does. */
    async start(owner: string, log: Log = silent) {
      await beat(owner, 1)
      const session = watchWorkers({ ...CLAIM_RULES, prisma, directUrl: url, owner, queue, log })
      onTestFinished(session.close)
      return session
    },
    listBackends,
    /** Waits until both workers hold their locks and one has looked at the other. */
    async untilSeen(owner: string, by: string): Promise<void> {
      await expect.poll(() => listBackends(owner)).toHaveLength(1)
      const { rows } = await pool.query('SELECT clock_timestamp() AS now')
      const sql = `SELECT 1 FROM pg_stat_activity
        WHERE application_name = $1 AND state = 'idle' AND query LIKE '%others_busy%' AND query_start > $2`
      await expect.poll(async () => (await pool.query(sql, [`corrigenda-worker ${by}`, rows[0].now])).rowCount).toBe(1)
    },
    cut: (pid: number | undefined) => pool.query('SELECT pg_terminate_backend($1)', [pid]),
    /** Creates a run that this worker has claimed. */
    async claim(owner: string): Promise<Claim> {
      const { runId } = await createTestRun(database)
      const held = await claimRun({ ...CLAIM_RULES, prisma }, { owner, runId })
      if (!held) throw new Error('expected a due run')
      return held
    },
    async read({ runId }: Pick<Claim, 'runId'>) {
      const { rows } = await pool.query(
        `SELECT attempt, handovers, coalesce(lease_until >= clock_timestamp(), false) AS held FROM runs WHERE id = $1`,
        [runId],
      )
      return rows[0]
    },
    async listTakeovers() {
      const { rows } = await pool.query(
        'SELECT run_id, attempt, owner, refuted_at IS NOT NULL AS wrong FROM run_takeovers ORDER BY run_id',
      )
      return rows
    },
  }
}
