import type { ModelKind, QueueKind } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'

/** What a worker says of itself. */
export interface Heartbeat {
  readonly id: string
  readonly host: string
  readonly pid: number
  readonly version: string
  /** Runs it takes at the same time. */
  readonly slots: number
  /** Runs it has in hand. */
  readonly busy: number
  readonly queue: QueueKind
  readonly modelKind: ModelKind
  /** Where the model is; user, password, query and fragment are dropped. */
  readonly modelBaseUrl: string
}

/** Says that a worker is alive, by the database's clock. Workers that were not seen for a day are forgotten on the way. */
export async function recordHeartbeat({ prisma }: Pick<Database, 'prisma'>, beat: Heartbeat): Promise<void> {
  const { id, host, pid, version, slots, busy, queue, modelKind } = beat
  const modelBaseUrl = toPublicUrl(beat.modelBaseUrl)
  await prisma.$executeRaw`
    INSERT INTO workers (id, host, pid, version, slots, busy, queue, model_kind, model_base_url)
    VALUES (${id}, ${host}, ${pid}, ${version}, ${slots}, ${busy}, ${queue}, ${modelKind}, ${modelBaseUrl})
    ON CONFLICT (id) DO UPDATE SET busy = excluded.busy, seen_at = clock_timestamp()`
  await prisma.$executeRaw`DELETE FROM workers WHERE seen_at < clock_timestamp() - interval '1 day'`
}

function toPublicUrl(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname.replaceAll('@', '%40')}`.replace(/\/$/, '')
}
