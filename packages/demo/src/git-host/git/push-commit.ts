import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { HostState, Repository } from '../host/host-state.ts'
import { type FileChanges, NO_OBJECT } from '../host/types.ts'
import { buildFastImport } from './fast-import.ts'
import { findBranchTip, noteRefUpdates } from './note-ref-updates.ts'
import { runGit, runGitBytes } from './run-git.ts'

export interface UserCommit {
  readonly files: FileChanges
  readonly message: string
  readonly author?: { readonly name: string; readonly email: string }
  /** Author and committer time. Default: now. */
  readonly at?: Date
}

const DEMO_AUTHOR = { name: 'Robin Marsh', email: 'robin@example.com' }

/**
 * Adds a user's commit to a branch and returns its ID. A new branch starts at the default branch.
 * Updates the branch by compare-and-swap. Throws if a concurrent push changed it, so no commit is
 * lost.
 */
export async function pushCommit(
  state: HostState,
  repository: Repository,
  branch: string,
  { files, message, author = DEMO_AUTHOR, at = new Date() }: UserCommit,
): Promise<string> {
  const { dir } = repository
  const tip = await findBranchTip(dir, branch)
  const from = tip ?? (await findBranchTip(dir, await readDefaultBranch(dir)))
  const draft = `refs/drafts/${randomUUID()}`
  const input = buildFastImport(draft, from, [{ message, files, author, at }])
  await runGitBytes({ dir, args: ['fast-import', '--quiet', '--done'], input })
  const commit = await runGit(dir, 'rev-parse', draft)
  const ref = `refs/heads/${branch}`
  const old = tip ?? NO_OBJECT
  try {
    await runGit(dir, 'update-ref', ref, commit, old)
  } finally {
    await runGit(dir, 'update-ref', '-d', draft)
  }
  await noteRefUpdates(state, repository, 'user', [{ ref, old, new: commit }])
  return commit
}

/** Returns the branch that HEAD of a bare repository points at. The branch may not exist yet. */
export async function readDefaultBranch(dir: string): Promise<string> {
  return (await readFile(join(dir, 'HEAD'), 'utf8')).trim().replace(/^ref: refs\/heads\//, '')
}
