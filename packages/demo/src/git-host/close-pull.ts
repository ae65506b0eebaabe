import { noteRefUpdates, type RefMove } from './git/note-ref-updates.ts'
import { findInGit, runGit, runGitBytes } from './git/run-git.ts'
import type { HostState, Repository } from './host/host-state.ts'
import { type Account, NO_OBJECT, type PullRequest } from './host/types.ts'

export interface ClosePullOptions {
  readonly merge?: boolean
  readonly deleteBranch?: boolean
}

const DEMO_USER: Account = { login: 'robin-marsh', type: 'User' }

/**
 * Closes a pull request, or merges it with a merge commit, on behalf of a user. Throws if it is
 * already closed or cannot be merged because of conflicts.
 */
export async function closePull(
  state: HostState,
  repository: Repository,
  number: number,
  { merge = false, deleteBranch = false }: ClosePullOptions = {},
): Promise<void> {
  const pull = repository.record.pulls.find((candidate) => candidate.number === number)
  if (!pull) throw new Error(`${repository.full} has no pull request ${number}`)
  if (pull.state === 'closed') throw new Error(`Pull request ${number} in ${repository.full} is already closed`)
  const moves: RefMove[] = []
  const mergeMove = merge ? await mergePull(repository, pull) : null
  if (mergeMove) moves.push(mergeMove)
  pull.state = 'closed'
  pull.closedAt = new Date().toISOString()
  pull.updatedAt = pull.closedAt
  if (mergeMove) Object.assign(pull, { mergedAt: pull.closedAt, mergeSha: mergeMove.new, mergedBy: DEMO_USER })
  if (deleteBranch) {
    const ref = `refs/heads/${pull.headRef}`
    await runGit(repository.dir, 'update-ref', '-d', ref, pull.headSha)
    moves.push({ ref, old: pull.headSha, new: NO_OBJECT })
  }
  await noteRefUpdates(state, repository, 'user', moves)
  state.save()
}

async function mergePull({ dir, owner }: Repository, pull: PullRequest): Promise<RefMove> {
  const { baseSha, headSha, headRef, baseRef, number, title } = pull
  const ahead = await findInGit(dir, 'merge-base', '--is-ancestor', baseSha, headSha)
  const tree =
    ahead === null
      ? await findInGit(dir, 'merge-tree', '--write-tree', baseSha, headSha)
      : await runGit(dir, 'rev-parse', `${headSha}^{tree}`)
  if (!tree) throw new Error(`Pull request ${number} cannot be merged because it conflicts with ${baseRef}`)
  const who = { NAME: 'Robin Marsh', EMAIL: 'robin@example.com' }
  const env = Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap((role) => Object.entries(who).map(([key, value]) => [`GIT_${role}_${key}`, value])),
  )
  const commit = await runGitBytes({
    dir,
    args: ['commit-tree', tree, '-p', baseSha, '-p', headSha],
    input: `Merge pull request #${number} from ${owner}/${headRef}\n\n${title}\n`,
    env,
  })
  const next = commit.toString().trim()
  const ref = `refs/heads/${baseRef}`
  await runGit(dir, 'update-ref', ref, next, baseSha)
  return { ref, old: baseSha, new: next }
}
