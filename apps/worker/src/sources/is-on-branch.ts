import { GitHttpError } from '@corrigenda/git/http'
import type { GitHost } from '../git-host/git-host.ts'
import { GitHostError } from '../git-host/git-host-error.ts'
import { isTip, type SourceAccess, type SourceDeps } from './source-deps.ts'

const WHERE =
  'not on the default branch or on the branch of the source, and that is not the tip of another branch or a tag'

/** Note on a source that is read at such a commit. */
export const OFF_BRANCH = `Read at a commit that is ${WHERE}. It may be from a fork.`
/** Note on a source whose selection in a prompt is not followed. */
export const NOT_FOLLOWED = `The prompt selects a commit that is ${WHERE}. It may be from a fork, and was not read.`

/** A prompt selects a commit that is on no branch or tag. */
export class OffBranchError extends GitHostError {
  constructor() {
    super('not_found', NOT_FOLLOWED)
  }
}

/**
 * Returns whether a commit belongs to the repository: it is on the default branch or the branch of
 * the source, or is the tip of another branch or a tag. Hosts serve the commits of a repository's
 * forks under the repository's own name.
 * @throws errors from the Git host and the mirrors
 */
export async function isOnBranch(
  deps: SourceDeps,
  gitHost: GitHost,
  { source, commit, signal }: { source: SourceAccess & { ref: string | null }; commit: string; signal: AbortSignal },
): Promise<boolean> {
  const { defaultBranch } = await gitHost.getRepository()
  for (const branch of new Set([source.ref ?? defaultBranch, defaultBranch])) {
    if (await hasCommit(gitHost, branch, commit)) return true
  }
  try {
    return await isTip(deps, source, { commit, signal })
  } catch (error) {
    if (error instanceof GitHttpError && error.code === 'too_large') return false
    throw error
  }
}

async function hasCommit(gitHost: GitHost, branch: string, commit: string): Promise<boolean> {
  try {
    return (await gitHost.compareCommits({ base: branch, head: commit })).mergeBase === commit
  } catch (error) {
    // No history in common.
    if (error instanceof GitHostError && error.code === 'not_found') return false
    throw error
  }
}
