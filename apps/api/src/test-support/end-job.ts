import type { Database } from '@corrigenda/core/db'
import { claimRun, finishRun, type RunOutcome } from '@corrigenda/core/runs'

const RULES = { leaseSeconds: 20, maxAttempts: 10, projectConcurrency: 100 }

/** Ends an active job as a worker would. */
export async function endJob(
  database: Database,
  jobId: string,
  outcome: RunOutcome = { kind: 'no_changes', summary: 'Nothing to do.', checks: [] },
): Promise<void> {
  const { id: runId } = await database.prisma.run.findFirstOrThrow({ where: { jobId, active: true } })
  const claim = await claimRun({ ...database, ...RULES }, { owner: 'test', runId })
  if (!claim) throw new Error(`the run for job ${jobId} cannot be claimed`)
  await finishRun(database, claim, outcome)
}
