import type { Database, Db } from '../db/open-database.ts'
import type { RunModel } from '../generated/prisma/models/Run.ts'
import { toRunSources } from './start-run.ts'

/**
 * Records the commits that a run read, so that the next job starts with the changes since then. Call
 * it only for a run whose work is complete. Otherwise, the next job would miss these changes. For the
 * same reason, a pull request or a single commit, which has no ref, does not count: the run saw no
 * other changes before it. What an earlier run of the job read stays, except for the sources that
 * this run read, too.
 * @param shown names of the sources that the run read. Undefined if they are not known: all.
 */
export async function recordSourceReads(
  tx: Db,
  { jobId, projectId, startedAt, ...run }: Pick<RunModel, 'jobId' | 'projectId' | 'startedAt' | 'sources'>,
  shown: readonly string[] | undefined,
): Promise<void> {
  const sources = (toRunSources(run.sources) ?? []).filter(
    ({ name, ref }) => ref !== null && (shown === undefined || shown.includes(name)),
  )
  if (sources.length === 0) return
  await tx.sourceRead.deleteMany({ where: { jobId, source: { in: sources.map(({ name }) => name) } } })
  await tx.sourceRead.createMany({
    data: sources.map(({ name, repository, ref, commit }) => ({
      jobId,
      source: name,
      projectId,
      repositoryUrl: repository,
      ref,
      commit,
      // The commits are resolved when the run starts. Of two concurrent jobs, the later start counts.
      readAt: startedAt ?? new Date(),
    })),
  })
}

/** A commit that a job read, and the start of the run that read it. */
interface LastRead {
  readonly commit: string
  readonly readAt: Date
}

/**
 * Returns the commit of a repository that the project's last completed job read, without the given
 * job; null if no job did. Jobs with the outcomes `changed` and `no_changes` count.
 * @param input.ref branch or tag that the job must have read. Null: any. Reads without one, which an
 * earlier version recorded, count for each.
 */
export function findLastRead(
  prisma: Database['prisma'],
  input: { projectId: string; jobId: string; repositoryUrl: string; ref: string | null },
): Promise<LastRead | null> {
  const { projectId, jobId, repositoryUrl, ref } = input
  return prisma.sourceRead.findFirst({
    where: {
      projectId,
      repositoryUrl,
      jobId: { not: jobId },
      ...(ref === null ? {} : { OR: [{ ref }, { ref: null }] }),
    },
    orderBy: { readAt: 'desc' },
    select: { commit: true, readAt: true },
  })
}
