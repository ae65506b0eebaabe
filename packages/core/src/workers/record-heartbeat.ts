import type { ModelKind, QueueKind } from '@corrigenda/contracts'
import type { PrismaDeps } from '../db/open-database.ts'

/** State that a worker reports about itself. */
export interface Heartbeat {
  readonly id: string
  readonly host: string
  readonly pid: number
  readonly version: string
  /** Maximum number of concurrent runs. */
  readonly slots: number
  /** Number of current runs. */
  readonly busy: number
  readonly queue: QueueKind
  readonly modelKind: ModelKind
  /** Model URL. User name, password, query and fragment are removed before it is stored. */
  readonly modelBaseUrl: string
  /** Ids of the models that the worker is configured for. Empty if only jobs name models. */
  readonly models: readonly string[]
}

/**
 * Records that a worker is online, using the database clock. Deletes the records of workers not
 * seen for a day.
 */
export async function recordHeartbeat({ prisma }: PrismaDeps, beat: Heartbeat): Promise<void> {
  const { id, host, pid, version, slots, busy, queue, modelKind } = beat
  const models = [...beat.models]
  const modelBaseUrl = toPublicUrl(beat.modelBaseUrl)
  await prisma.$executeRaw`
    WITH gone AS (DELETE FROM workers WHERE seen_at < clock_timestamp() - interval '1 day' AND id <> ${id})
    INSERT INTO workers (id, host, pid, version, slots, busy, queue, model_kind, model_base_url, models)
    VALUES (${id}, ${host}, ${pid}, ${version}, ${slots}, ${busy}, ${queue}, ${modelKind}, ${modelBaseUrl}, ${models})
    ON CONFLICT (id) DO UPDATE SET busy = excluded.busy, seen_at = clock_timestamp()`
}

/** Deletes the record of a worker that is shutting down normally. Idempotent. */
export async function removeWorker({ prisma }: PrismaDeps, id: string): Promise<void> {
  await prisma.worker.deleteMany({ where: { id } })
}

function toPublicUrl(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname.replaceAll('@', '%40')}`.replace(/\/$/, '')
}
