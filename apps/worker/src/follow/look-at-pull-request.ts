import { AppError, createDeployment, isConnectionError, type Look, postponeLook, recordLook } from '@corrigenda/core'
import { deleteBranch } from '../git/delete-branch.ts'
import { CredentialsError } from '../github/credentials.ts'
import { GitHubError } from '../github/github-error.ts'
import { type GitHub, openGitHub } from '../github/open-github.ts'
import { toRepository } from '../github/repository.ts'
import { withToken } from '../github/with-token.ts'
import { getRepositoryName } from '../publish/get-repository-name.ts'
import type { WorkerDeps } from '../run/worker-deps.ts'
import { type PullRequestFacts, readPullRequestState } from './read-pull-request-state.ts'

export type FollowDeps = Pick<
  WorkerDeps,
  'prisma' | 'log' | 'github' | 'credentials' | 'gitHttp' | 'allowedRepositoryHosts'
>

const LIMIT_MS = 30_000
const RETRY_MS = 15 * 60_000
/** Of what does not pass by itself: a repository that is gone, a token that is refused. */
const LONG_RETRY_MS = 6 * 3_600_000
const PASSING = new Set(['rate_limited', 'server_error', 'network', 'timeout', 'aborted', 'protocol'])

/** Looks at one pull request and does what follows from it: deploys after a merge, takes the branch of a closed one away. Never throws for the host. */
export async function lookAtPullRequest(deps: FollowDeps, look: Look, shutdown: AbortSignal): Promise<void> {
  const signal = AbortSignal.any([shutdown, AbortSignal.timeout(LIMIT_MS)])
  try {
    const facts = await readFacts(deps, look, signal)
    if (facts === null) return await postponeLook(deps, look, LONG_RETRY_MS)
    if (facts.state === 'merged' && look.isDeployedOnMerge) await deployMerge(deps, look)
    const isBranchDeleted =
      look.isBranchDeleted ||
      (facts.state !== 'open' && look.shallDeleteBranch && (await removeBranch(deps, look, facts, signal)))
    const { state, draft, checks } = facts
    const changed = await recordLook(deps, look, { state, draft, checks, isBranchDeleted })
    if (changed) deps.log.info({ jobId: look.jobId, state, checks }, 'pull request changed')
  } catch (error) {
    if (isConnectionError(error) || shutdown.aborted) return
    if (error instanceof AppError) return await postponeLook(deps, look, (error.retryAfterSeconds ?? 60) * 1000)
    const code = error instanceof GitHubError || error instanceof CredentialsError ? error.code : null
    if (code === null) deps.log.error({ jobId: look.jobId, err: error }, 'could not look at a pull request')
    else deps.log.warn({ jobId: look.jobId, code }, 'could not look at a pull request')
    const asked = error instanceof GitHubError ? error.retryAfterMs : null
    const wait = code === null || PASSING.has(code) ? RETRY_MS : LONG_RETRY_MS
    await postponeLook(deps, look, Math.max(asked ?? 0, wait))
  }
}

async function readFacts(deps: FollowDeps, look: Look, signal: AbortSignal): Promise<PullRequestFacts | null> {
  const github = await openForWatching(deps, look, signal)
  try {
    const name = await getRepositoryName({ github }, { signal })
    return await readPullRequestState({ github }, { name, number: look.number, branch: look.branch, signal })
  } finally {
    github.close()
  }
}

/** An App that may not read checks still shows the rest. */
async function openForWatching(deps: FollowDeps, { repositoryUrl }: Look, signal: AbortSignal): Promise<GitHub> {
  const settings = { ...deps.github, credentials: deps.credentials }
  const repository = toRepository(repositoryUrl)
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
    if (error.code === 'deploy_rate_exceeded') throw error
    deps.log.warn({ jobId, code: error.code }, 'nothing to deploy a merge with')
  }
}

/** Only while it holds what the pull request showed: commits that came later are somebody's work. */
async function removeBranch(
  deps: FollowDeps,
  { repositoryUrl, branch }: Look,
  { headSha }: PullRequestFacts,
  signal: AbortSignal,
): Promise<boolean> {
  const repository = toRepository(repositoryUrl)
  return withToken(deps.credentials, { repository, access: 'publish', signal }, (token) =>
    deleteBranch({ http: { ...deps.gitHttp, url: `${repositoryUrl}.git`, token, signal }, branch, expected: headSha }),
  )
}
