import type { Database } from '../db/open-database.ts'

/** A commit that a job read, and the start of the run that read it. */
export interface LastRead {
  readonly commit: string
  readonly readAt: Date
}

/**
 * Returns, for each repository URL, the commit that the project's last completed job read, without
 * the given job. Omits repositories that no such job read. Jobs with the outcomes `changed` and
 * `no_changes` count.
 */
export async function findLastReads(
  prisma: Database['prisma'],
  { projectId, jobId, repositories }: { projectId: string; jobId: string; repositories: readonly string[] },
): Promise<ReadonlyMap<string, LastRead>> {
  const found = await Promise.all(
    [...new Set(repositories)].map((repositoryUrl) =>
      prisma.sourceRead.findFirst({
        where: { projectId, repositoryUrl, jobId: { not: jobId } },
        orderBy: { readAt: 'desc' },
        select: { repositoryUrl: true, commit: true, readAt: true },
      }),
    ),
  )
  return new Map(
    found.flatMap((read) =>
      read === null ? [] : [[read.repositoryUrl, { commit: read.commit, readAt: read.readAt }]],
    ),
  )
}
