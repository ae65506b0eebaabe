import type { Db } from '../db/open-database.ts'
import type { RunModel } from '../generated/prisma/models/Run.ts'
import { toRunSources } from './run-sources.ts'

/**
 * Records the commits that a job read, so that the next job starts with the changes since then. Call
 * it only for a job whose work is complete. Otherwise, the next job would miss these changes. For the
 * same reason, a pull request or a single commit, which has no ref, does not count: the job saw no
 * other changes before it.
 */
export async function recordSourceReads(
  tx: Db,
  { jobId, projectId, seq, startedAt, ...run }: Pick<RunModel, 'jobId' | 'projectId' | 'seq' | 'startedAt' | 'sources'>,
): Promise<void> {
  const sources = (toRunSources(run.sources) ?? []).filter(({ ref }) => ref !== null)
  if (sources.length === 0) return
  // The reads of an earlier run of the job.
  if (seq > 1) await tx.sourceRead.deleteMany({ where: { jobId } })
  await tx.sourceRead.createMany({
    data: sources.map(({ name, repository, commit }) => ({
      ...{ jobId, source: name, projectId, repositoryUrl: repository, commit },
      // The commits are resolved when the run starts. Of two concurrent jobs, the later start counts.
      readAt: startedAt ?? new Date(),
    })),
  })
}
