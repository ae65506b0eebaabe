import { SINCE_LAST_JOB, toSinceDate } from '@corrigenda/contracts'
import type { GitHost } from '../git-host/git-host.ts'
import { GitHostError } from '../git-host/git-host-error.ts'

/** Without a start and an earlier job, the recent changes are those of this time, and at most this many commits. */
const DEFAULT_DAYS = 14
const MAX_COMMITS = 50
/** After a date, more commits than these are not followed to it. */
const MAX_DATED_COMMITS = 2_000
/** Commits in one response of the host. */
const PAGE = 100
const DAY_MS = 86_400_000

interface FindBaseInput {
  /** The commit that is read. */
  readonly commit: string
  /** Commit, tag, branch, date or `last-job`. `^` after a revision names its first parent. */
  readonly since: string | undefined
  /** Returns the commit that the last completed job read, if there is one. */
  readonly findLastRead: () => Promise<string | undefined>
  readonly now: Date
}

/**
 * Returns the commit where the recent changes start, an ancestor of the commit that is read.
 * @throws GitHostError `not_found` for a revision that does not exist or has no common ancestor
 */
export async function findBaseCommit(
  gitHost: GitHost,
  { commit, since, findLastRead, now }: FindBaseInput,
): Promise<string> {
  if (since !== undefined && since !== SINCE_LAST_JOB) {
    const date = toSinceDate(since)
    if (date === null) return await findMergeBase(gitHost, await resolveRevision(gitHost, since), commit)
    const named = await findNamed(gitHost, since)
    if (named !== null) return await findMergeBase(gitHost, named, commit)
    return await findAtDate(gitHost, commit, date, MAX_DATED_COMMITS)
  }
  const lastRead = await findLastRead()
  if (lastRead !== undefined) {
    const base = await findAncestor(gitHost, lastRead, commit)
    if (base !== null) return base
  }
  return await findAtDate(gitHost, commit, new Date(now.getTime() - DEFAULT_DAYS * DAY_MS), MAX_COMMITS)
}

/** Returns the commit of a branch or tag whose name is a date, or null if neither exists. */
async function findNamed(gitHost: GitHost, date: string): Promise<string | null> {
  // The name of a branch or tag contains no colon.
  if (date.includes(':')) return null
  try {
    return await resolveRevision(gitHost, date)
  } catch (error) {
    if (error instanceof GitHostError && error.code === 'not_found') return null
    throw error
  }
}

/** Returns the commit of a branch, a tag or a commit. */
export async function resolveRevision(gitHost: GitHost, revision: string): Promise<string> {
  const isParent = revision.endsWith('^')
  const ref = isParent ? revision.slice(0, -1) : revision
  const [found] = await gitHost.listCommits({ ref, limit: 1 })
  const id = isParent ? found?.firstParent : found?.id
  if (id) return id
  throw new GitHostError('not_found', `The repository has no commit, branch or tag ${JSON.stringify(revision)}.`)
}

async function findMergeBase(gitHost: GitHost, base: string, head: string): Promise<string> {
  return (await gitHost.compareCommits({ base, head })).mergeBase
}

/** Returns where to start after the last job; null if its commit no longer exists. */
async function findAncestor(gitHost: GitHost, lastRead: string, commit: string): Promise<string | null> {
  if (lastRead === commit) return commit
  try {
    return (await gitHost.compareCommits({ base: lastRead, head: commit })).mergeBase
  } catch (error) {
    if (error instanceof GitHostError && error.code === 'not_found') return null
    throw error
  }
}

/**
 * Returns the newest commit of the branch itself that is older than a date: the list of the host also
 * contains commits of merged branches, and the changes since one of those would lack the others.
 * @param maxCommits where to stop, in commits of the list
 */
async function findAtDate(gitHost: GitHost, commit: string, date: Date, maxCommits: number): Promise<string> {
  let at = commit
  for (let listed = 0; listed < maxCommits; listed += PAGE) {
    const limit = Math.min(PAGE, maxCommits - listed)
    const newer = await gitHost.listCommits({ ref: at, since: date, limit })
    const parents = new Map(newer.map(({ id, firstParent }) => [id, firstParent]))
    while (parents.has(at)) {
      const parent = parents.get(at) ?? null
      // A repository that is younger than the date starts at its first commit.
      if (parent === null) return at
      at = parent
    }
    if (newer.length < limit) break
  }
  return at
}
