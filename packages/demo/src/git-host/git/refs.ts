import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HostState, Repository } from '../host/host-state.ts'
import { NO_OBJECT, type PullRequest, type RefUpdate } from '../host/types.ts'
import { findInGit, runGit } from './run-git.ts'

export interface RefMove {
  readonly ref: string
  readonly old: string
  readonly new: string
}

/** Records ref updates and updates the open pull requests of the affected branches. */
export async function noteRefUpdates(
  state: HostState,
  repository: Repository,
  via: RefUpdate['via'],
  moves: readonly RefMove[],
): Promise<void> {
  for (const move of moves) {
    const at = Date.now()
    const forced = await isForced(repository.dir, move)
    state.refUpdates.push({ repo: repository.full, ref: move.ref, old: move.old, new: move.new, forced, via, at })
  }
  await syncPullRequests(state, repository)
}

async function isForced(dir: string, move: RefMove): Promise<boolean> {
  if (move.old === NO_OBJECT || move.new === NO_OBJECT) return false
  return (await findInGit(dir, 'merge-base', '--is-ancestor', move.old, move.new)) === null
}

/**
 * Updates pull requests as GitHub does after a push. An open pull request moves to the new tip of
 * its head branch. It is closed if that branch is deleted, and counts as merged once its base
 * branch contains its head commit.
 */
export async function syncPullRequests(state: HostState, repository: Repository): Promise<void> {
  const open = repository.record.pulls.filter((pull) => pull.state === 'open' && pull.fork === undefined)
  if (open.length === 0) return
  const tips = await readBranchTips(repository.dir)
  for (const pull of open) {
    const head = tips.get(pull.headRef)
    const base = tips.get(pull.baseRef)
    if (!head) closeNow(pull)
    else {
      if (head !== pull.headSha) await moveHead(state, repository, pull, head)
      if (base && base !== pull.baseSha) await moveBase(repository, pull, base)
    }
  }
  state.save()
}

async function moveHead(state: HostState, repository: Repository, pull: PullRequest, head: string): Promise<void> {
  pull.headSha = head
  await keepPullHead(state, repository, pull)
}

async function moveBase(repository: Repository, pull: PullRequest, base: string): Promise<void> {
  const contained = await findInGit(repository.dir, 'merge-base', '--is-ancestor', pull.headSha, base)
  if (contained === null) {
    pull.baseSha = base
    return
  }
  closeNow(pull)
  pull.mergedAt = pull.closedAt
}

function closeNow(pull: PullRequest): void {
  pull.state = 'closed'
  pull.closedAt = new Date().toISOString()
}

/**
 * Points a ref such as refs/pull/N/head at the head of the pull request, so that its commits outlive the branch.
 */
export async function keepPullHead(
  { dialect }: HostState,
  { dir }: Repository,
  { number, headSha }: PullRequest,
): Promise<void> {
  await runGit(dir, 'update-ref', dialect.toPullRef(number), headSha)
}

async function readBranchTips(dir: string): Promise<Map<string, string>> {
  const lines = (await findInGit(dir, 'for-each-ref', '--format=%(objectname) %(refname:lstrip=2)', 'refs/heads')) ?? ''
  return new Map(
    lines
      .split('\n')
      .filter(Boolean)
      .map((line) => [line.slice(41), line.slice(0, 40)]),
  )
}

/** Returns the commit at the tip of a branch, or null if the branch does not exist. */
export function findBranchTip(dir: string, branch: string): Promise<string | null> {
  return findInGit(dir, 'rev-parse', '--quiet', '--verify', `refs/heads/${branch}^{commit}`)
}

/** Finds the commit of a branch, a tag, or a commit ID. Null: the repository has no such commit. */
export async function findCommitId(dir: string, ref: string): Promise<string | null> {
  const tip = await findBranchTip(dir, ref)
  return tip ?? findInGit(dir, 'rev-parse', '--quiet', '--verify', '--end-of-options', `${ref}^{commit}`)
}

/** Returns the branch that HEAD of a bare repository points at. The branch may not exist yet. */
export async function readDefaultBranch(dir: string): Promise<string> {
  return (await readFile(join(dir, 'HEAD'), 'utf8')).trim().replace(/^ref: refs\/heads\//, '')
}
