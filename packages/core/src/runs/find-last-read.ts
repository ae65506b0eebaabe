import type { Database } from '../db/open-database.ts'

/** A commit that a job read, and the start of the run that read it. */
export interface LastRead {
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
      ...{ projectId, repositoryUrl, jobId: { not: jobId } },
      ...(ref === null ? {} : { OR: [{ ref }, { ref: null }] }),
    },
    orderBy: { readAt: 'desc' },
    select: { commit: true, readAt: true },
  })
}
