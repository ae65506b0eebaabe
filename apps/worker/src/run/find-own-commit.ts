import type { Claim, FrozenPublish } from '@corrigenda/core/runs'
import type { GitHost } from '../git-host/git-host.ts'
import { GitHostError } from '../git-host/git-host-error.ts'

/** A commit of this job that the database does not contain. */
export interface OwnCommit {
  readonly commit: string
  readonly parent: string
}

/**
 * Returns the newest commit of a new job's branch if an earlier execution of the same job made it.
 * This happens after the database was restored from a backup: the branch was pushed after the
 * backup, and the repeated execution produced another commit. The commit must name the job in its
 * trailer, and its author and committer must be those of the job's commits. Commits of others on
 * the branch, also amended ones, are never adopted.
 * @throws GitHostError
 */
export async function findOwnCommit(
  gitHost: GitHost,
  { jobId }: Pick<Claim, 'jobId'>,
  { branch, author }: Pick<FrozenPublish, 'branch' | 'author'>,
  signal: AbortSignal,
): Promise<OwnCommit | null> {
  const tip = await gitHost.getBranch({ branch, signal }).catch((error: unknown) => {
    if (error instanceof GitHostError && error.code === 'not_found') return null
    throw error
  })
  const [parent, ...more] = tip?.parents ?? []
  if (tip === null || parent === undefined || more.length > 0) return null
  const isNamed = tip.message.split('\n').includes(`Corrigenda-Job: ${jobId}`)
  const isOurs = [tip.author, tip.committer].every((one) => one?.name === author.name && one.email === author.email)
  return isNamed && isOurs ? { commit: tip.commit, parent } : null
}
