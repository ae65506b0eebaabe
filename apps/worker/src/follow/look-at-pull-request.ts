import {
  AppError,
  createDeployment,
  isConnectionError,
  type Look,
  postponeLook,
  recordBranchDeleted,
  recordLook,
  toRepositoryUrl,
} from '@corrigenda/core'
import { deleteBranch } from '@corrigenda/git/commit'
import { CredentialsError } from '../github/credentials.ts'
import { forProject } from '../github/for-project.ts'
import { GitHubError } from '../github/github-error.ts'
import { type GitHub, openGitHub } from '../github/open-github.ts'
import { type Repository, toRepository } from '../github/repository.ts'
import { withToken } from '../github/with-token.ts'
import { getRepositoryName } from '../publish/get-repository-name.ts'
import type { WorkerDeps } from '../run/worker-deps.ts'
import { type PullRequestFacts, readPullRequestState } from './read-pull-request-state.ts'

export type FollowDeps = Pick<
  WorkerDeps,
  'prisma' | 'log' | 'github' | 'credentials' | 'gitHttp' | 'allowedRepositoryHosts'
>

type AllowedLook = Look & { readonly repository: Repository }

const LIMIT_MS = 30_000
const RETRY_MS = 15 * 60_000
/** Of what does not pass by itself: a repository that is gone, a token that is refused. */
const LONG_RETRY_MS = 6 * 3_600_000
const PASSING = new Set(['rate_limited', 'server_error', 'network', 'timeout', 'aborted', 'protocol'])

/** Looks at one pull request and does what follows from it: deploys after a merge, takes the branch of a closed one away. Never throws for the host. */
export async function lookAtPullRequest(given: FollowDeps, look: Look, shutdown: AbortSignal): Promise<void> {
  const deps = forProject(given, look.projectId)
  const signal = AbortSignal.any([shutdown, AbortSignal.timeout(LIMIT_MS)])
  try {
    const repository = findAllowedRepository(deps, look)
    if (repository === null) return await postponeLook(deps, look, { afterMs: LONG_RETRY_MS, isAsked: false })
    const facts = await readFacts(deps, { ...look, repository }, signal)
    if (facts === null) return await postponeLook(deps, look, { afterMs: LONG_RETRY_MS, isAsked: false })
    if (facts.state === 'merged' && look.shallDeployMerge) await deployMerge(deps, look)
    const { state, draft, checks } = facts
    const changed = await recordLook(deps, look, { state, draft, checks })
    if (changed) deps.log.info({ jobId: look.jobId, state, checks }, 'pull request changed')
    // Last: a branch that cannot be taken away must not hide what became of the pull request.
    if (state !== 'open' && look.shallDeleteBranch && !look.isWorkedOn) {
      await tidyBranch(deps, { ...look, repository }, facts, signal)
    }
  } catch (error) {
    if (isConnectionError(error) || shutdown.aborted) return
    const code = error instanceof GitHubError || error instanceof CredentialsError ? error.code : null
    if (code === null) deps.log.error({ jobId: look.jobId, err: error }, 'could not look at a pull request')
    else deps.log.warn({ jobId: look.jobId, code }, 'could not look at a pull request')
    const asked = error instanceof GitHubError ? error.retryAfterMs : null
    const wait = code === null || PASSING.has(code) ? RETRY_MS : LONG_RETRY_MS
    await postponeLook(deps, look, { afterMs: Math.max(asked ?? 0, wait), isAsked: code === 'rate_limited' })
  }
}

/** Null when the operator does not allow its host any more: no token of ours goes there. */
function findAllowedRepository(deps: FollowDeps, look: Look): Repository | null {
  try {
    return toRepository(toRepositoryUrl(look.repositoryUrl, deps.allowedRepositoryHosts))
  } catch {
    deps.log.warn({ jobId: look.jobId }, 'the repository of a pull request is not allowed any more')
    return null
  }
}

async function readFacts(deps: FollowDeps, look: AllowedLook, signal: AbortSignal): Promise<PullRequestFacts | null> {
  const github = await openForWatching(deps, look, signal)
  try {
    const name = await getRepositoryName({ github }, { signal })
    return await readPullRequestState({ github }, { name, number: look.number, branch: look.branch, signal })
  } finally {
    github.close()
  }
}

/** An App that may not read checks still shows the rest. */
async function openForWatching(deps: FollowDeps, { repository }: AllowedLook, signal: AbortSignal): Promise<GitHub> {
  const settings = { ...deps.github, credentials: deps.credentials }
  try {
    return await openGitHub(settings, { repository, access: 'watch', signal })
  } catch (error) {
    if (!(error instanceof CredentialsError) || error.code !== 'permission_missing') throw error
    return openGitHub(settings, { repository, access: 'publish', signal })
  }
}

/** Once per job, whoever sees the merge: the database knows. */
async function deployMerge(deps: FollowDeps, { jobId, projectId }: Look): Promise<void> {
  const known = await deps.prisma.deployment.findFirst({ where: { jobId, source: 'merge' }, select: { id: true } })
  if (known) return
  try {
    await createDeployment(deps, { projectId, jobId, source: 'merge' })
  } catch (error) {
    // Another worker was faster.
    if ((error as { code?: unknown }).code === 'P2002') return
    if (!(error instanceof AppError)) throw error
    deps.log.warn({ jobId, code: error.code }, 'nothing to deploy a merge with')
  }
}

/** A branch that does not go is tried again by the looks of the next hour. */
async function tidyBranch(
  deps: FollowDeps,
  look: AllowedLook,
  facts: PullRequestFacts,
  signal: AbortSignal,
): Promise<void> {
  try {
    if (await removeBranch(deps, look, facts, signal)) await recordBranchDeleted(deps, look)
  } catch (error) {
    if (isConnectionError(error) || signal.aborted) return
    const { code = 'unknown' } = error as { code?: unknown }
    deps.log.warn({ jobId: look.jobId, code }, 'the branch of a closed pull request could not be deleted')
  }
}

/** Only while it holds what the pull request showed: commits that came later are somebody's work. */
async function removeBranch(
  deps: FollowDeps,
  { repository, branch }: AllowedLook,
  { headSha }: PullRequestFacts,
  signal: AbortSignal,
): Promise<boolean> {
  return withToken(deps.credentials, { repository, access: 'publish', signal }, (token) =>
    deleteBranch({ http: { ...deps.gitHttp, url: `${repository.url}.git`, token, signal }, branch, expected: headSha }),
  )
}
