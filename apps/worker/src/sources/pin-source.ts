import type { RunSource } from '@corrigenda/contracts'
import { GitHttpError } from '@corrigenda/git/http'
import { CredentialsError } from '../git-host/credentials.ts'
import type { GitHost } from '../git-host/git-host.ts'
import { GitHostError } from '../git-host/git-host-error.ts'
import { findBaseCommit, resolveRevision } from './find-base-commit.ts'
import type { SelectedSource } from './select-sources.ts'
import {
  isTip,
  openSourceHost,
  openSourceSnapshot,
  type SourceAccess,
  type SourceDeps,
  toVisibility,
} from './source-deps.ts'

const WHERE =
  'not on the default branch or on the branch of the source, and that is not the tip of another branch or a tag'

/** Note on a source that is read at such a commit. */
const OFF_BRANCH = `Read at a commit that is ${WHERE}. It may be from a fork.`
/** Note on a source whose selection in a prompt is not followed. */
const NOT_FOLLOWED = `The prompt selects a commit that is ${WHERE}. It may be from a fork, and was not read.`

const RANGE_NOT_FOUND = 'range in the prompt not found; the default range is used'

interface PinSourceInput {
  readonly projectId: string
  readonly source: SelectedSource
  /** Commit and branch of the work tree, for the documentation repository. */
  readonly own: Tip | null
  /** Returns the commit of a branch or tag that the last completed job of the project read. */
  readonly findLastRead: (ref: string | null) => Promise<string | undefined>
  /** Whether the start of the recent changes is looked up if nothing specifies it. */
  readonly needsBase: boolean
  readonly now: Date
  readonly signal: AbortSignal
}

/** The commit that is read. */
interface Tip {
  readonly ref: string | null
  readonly commit: string
  readonly note?: string
}

/**
 * Resolves a source to the commit that the run reads and the commit where its recent changes start.
 * @throws errors from the Git host and the mirrors
 */
export async function pinSource(deps: SourceDeps, input: PinSourceInput): Promise<RunSource> {
  const { source } = input
  try {
    return await pin(deps, input)
  } catch (error) {
    if (!source.asked.isGuess || !isRefused(error)) throw error
    // The message contains a part of the prompt, which is never logged.
    deps.log.info({ source: source.name, code: toCode(error) }, RANGE_NOT_FOUND)
    const pinned = await pin(deps, { ...input, source: { ...source, asked: { isGuess: false } } })
    return error instanceof OffBranchError ? { ...pinned, note: NOT_FOLLOWED } : pinned
  }
}

async function pin(deps: SourceDeps, input: PinSourceInput): Promise<RunSource> {
  const { source, signal } = input
  const { name, address, asked, paths, quotable } = source
  const access = asked.pullRequest === undefined ? 'read' : 'read_pulls'
  using gitHost = await openSourceHost(deps, source, { access, signal })
  const pull = asked.pullRequest === undefined ? null : await getPullRequest(gitHost, asked.pullRequest)
  const tip = pull ?? (await findAsked(deps, gitHost, input)) ?? input.own ?? (await findTip(deps, input))
  const { ref, commit, note } = tip
  const baseCommit = pull?.baseCommit ?? (await findBase(deps, gitHost, { ref, commit }, input))
  const visibility = source.visibility ?? (await findVisibility(gitHost))
  const cite = source.cite ?? (visibility === 'public' ? 'links' : 'none')
  const pinned = { name, repository: address.url, ref, commit, baseCommit, visibility, cite, paths, quotable }
  return note === undefined ? pinned : { ...pinned, note }
}

async function getPullRequest(gitHost: GitHost, number: number): Promise<Tip & { baseCommit: string }> {
  try {
    const { baseCommit, headCommit, fork } = await gitHost.getPullRequestRange({ number })
    const { mergeBase } = await gitHost.compareCommits({ base: baseCommit, head: headCommit })
    const tip = { ref: null, commit: headCommit, baseCommit: mergeBase }
    if (fork === null) return tip
    const from = fork.path === null ? 'a deleted fork' : `the fork ${fork.path}`
    return { ...tip, note: `Head of pull request ${number}, from ${from}.` }
  } catch (error) {
    if (!(error instanceof GitHostError) || error.code !== 'not_found') throw error
    throw new GitHostError(
      'not_found',
      `Pull request ${number} does not exist, or the credential has no access to the repository.`,
    )
  }
}

/** @throws OffBranchError for a commit that a prompt selects and that may not be the repository's own */
async function findAsked(deps: SourceDeps, gitHost: GitHost, { source, signal }: PinSourceInput): Promise<Tip | null> {
  const { ref: revision, isGuess } = source.asked
  if (revision === undefined) return null
  const commit = await getRevision(gitHost, revision)
  const tip = { commit, ref: isCommit(revision) && commit.startsWith(revision.toLowerCase()) ? null : revision }
  if (await isOnBranch(deps, gitHost, { source, commit, signal })) return tip
  if (isGuess) throw new OffBranchError()
  return { ...tip, note: OFF_BRANCH }
}

/** A shorter text is a branch or a tag, such as `2`, even if the commit starts with it. */
const isCommit = (revision: string): boolean => /^[0-9a-f]{7,}$/i.test(revision)

async function findTip(deps: SourceDeps, { projectId, source, signal }: PinSourceInput): Promise<Tip> {
  await using snapshot = await openSourceSnapshot(deps, source, { projectId, branch: source.ref, signal })
  return { ref: snapshot.branch, commit: snapshot.commit }
}

/**
 * Returns the start of the recent changes. Without an explicit start, a job does not fail if the
 * host does not provide them.
 */
async function findBase(
  deps: SourceDeps,
  gitHost: GitHost,
  { ref, commit }: Tip,
  { source, findLastRead, needsBase, now }: PinSourceInput,
): Promise<string | null> {
  const { since } = source.asked
  if (since === undefined && !needsBase) return null
  try {
    return await findBaseCommit(gitHost, { commit, since, now, findLastRead: () => findLastRead(ref) })
  } catch (error) {
    if (since !== undefined) throw error instanceof GitHostError ? toMissing(error, since) : error
    if (!isRefused(error)) throw error
    deps.log.info({ source: source.name, code: toCode(error) }, 'recent changes of a source not available')
    return null
  }
}

async function getRevision(gitHost: GitHost, revision: string): Promise<string> {
  try {
    return await resolveRevision(gitHost, revision)
  } catch (error) {
    throw error instanceof GitHostError ? toMissing(error, revision) : error
  }
}

function toMissing(error: GitHostError, revision: string): GitHostError {
  if (error.code !== 'not_found') return error
  const what = JSON.stringify(revision)
  return new GitHostError(
    'not_found',
    `The repository has no commit, branch or tag ${what}, or no history in common with it.`,
  )
}

/** An unknown visibility counts as private. */
async function findVisibility(gitHost: GitHost): Promise<'private' | 'public'> {
  try {
    return toVisibility(null, (await gitHost.getRepository()).isPrivate)
  } catch (error) {
    if (isRefused(error)) return 'private'
    throw error
  }
}

const toCode = (error: unknown) =>
  error instanceof GitHostError || error instanceof CredentialsError ? error.code : undefined

/** Errors that a retry does not resolve. */
function isRefused(error: unknown): boolean {
  if (error instanceof CredentialsError) return error.code === 'permission_missing'
  return error instanceof GitHostError && ['not_found', 'forbidden', 'validation', 'archived'].includes(error.code)
}

/** A prompt selects a commit that is on no branch or tag. */
class OffBranchError extends GitHostError {
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
async function isOnBranch(
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
