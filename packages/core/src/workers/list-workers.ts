import { ModelKind, type OpsWorker, QueueKind, WORKER_ALIVE_SECONDS } from '@corrigenda/contracts'
import type { Db, PoolDeps } from '../db/open-database.ts'

interface Row {
  id: string
  host: string
  pid: number
  version: string
  slots: number
  busy: number
  queue: string
  model_kind: string
  model_base_url: string
  models: string[]
  started_at: Date
  seen_at: Date
  alive: boolean
}

/** Lists the workers seen in the last day, newest first. `alive` is based on the database clock. */
export async function listWorkers({ prisma }: { prisma: Pick<Db, '$queryRaw'> }): Promise<OpsWorker[]> {
  const rows = await prisma.$queryRaw<Row[]>`
    SELECT *, seen_at > clock_timestamp() - make_interval(secs => ${WORKER_ALIVE_SECONDS}) AS alive
    FROM workers WHERE seen_at > clock_timestamp() - interval '1 day'
    ORDER BY started_at DESC, id`
  return rows.map((row) => ({
    id: row.id,
    host: row.host,
    pid: row.pid,
    version: row.version,
    slots: row.slots,
    busy: row.busy,
    startedAt: row.started_at.toISOString(),
    seenAt: row.seen_at.toISOString(),
    alive: row.alive,
    // A database constraint allows no other values.
    queue: QueueKind.parse(row.queue),
    model: { kind: ModelKind.parse(row.model_kind), baseUrl: row.model_base_url, names: row.models },
  }))
}

/** Returns true if a worker has sent a heartbeat recently, by the database clock. */
export async function hasLiveWorker({ pool }: PoolDeps): Promise<boolean> {
  const { rowCount } = await pool.query(
    'SELECT FROM workers WHERE seen_at > clock_timestamp() - make_interval(secs => $1) LIMIT 1',
    [WORKER_ALIVE_SECONDS],
  )
  return rowCount !== 0
}
