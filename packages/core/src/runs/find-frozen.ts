import type { AgentJob } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'
import { FrozenPublish } from './freeze-run.ts'

export interface FrozenRun {
  readonly publish: FrozenPublish
  /** True when a pull request may have been opened; see recordPush. */
  readonly isOpening: boolean
  /** The job's outcome, or null while it is active. */
  readonly outcome: AgentJob['outcome']
}

/** Returns the content that a run will publish, or null when its agent phase has not ended. */
export async function findFrozen({ prisma }: Pick<Database, 'prisma'>, runId: string): Promise<FrozenRun | null> {
  const run = await prisma.run.findUnique({ where: { id: runId }, include: { job: { select: { outcome: true } } } })
  if (!run || run.frozen === null) return null
  return {
    publish: FrozenPublish.parse(run.frozen),
    isOpening: run.openingAt !== null,
    outcome: run.job.outcome,
  }
}
