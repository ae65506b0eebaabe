import type { RepositoryAddress } from '@corrigenda/contracts'
import type { Connection } from '@corrigenda/core/connection-checks'
import type { Log } from '@corrigenda/core/runtime'
import { buildGitHttp, findBranchTip, GitHttpError, type GitHttpOptions } from '@corrigenda/git/http'
import type { Permissions } from '../git-host/credentials.ts'
import { type GitAccess, toAllowedRepository, withToken } from '../git-host/git-access.ts'
import type { GitHost, RepositoryFacts } from '../git-host/git-host.ts'
import { GitHostError } from '../git-host/git-host-error.ts'

/** Permission names as shown on GitHub's token and App pages. */
export const WORDS = {
  access: 'Repository access',
  contents: 'Contents: read and write',
  contentsRead: 'Contents: read-only',
  pullRequests: 'Pull requests: read and write',
  pullRequestsRead: 'Pull requests: read-only',
  checks: 'Checks: read-only',
  statuses: 'Commit statuses: read-only',
  actions: 'Actions: read and write',
} as const

/** Tests that the operator allows the repository's host. */
export async function testHost(context: ConnectionCheckContext): Promise<Found> {
  context.repository = toAllowedRepository(context.deps, context.connection.repositoryUrl)
  return passed(`${context.repository.host} is an allowed Git host.`)
}

/**
 * Tests that a credential is configured and, for an App, that it is installed on the repository.
 */
export async function testCredential(context: ConnectionCheckContext): Promise<Found> {
  const { deps, signal } = context
  const repository = need(context.repository)
  context.permissions = await deps.credentials.findPermissions({ repository, signal })
  // An App without read permission cannot issue a token. Later steps report that.
  if (isGranted(context, 'contents', 'read') === false) return passed('The GitHub App is installed on the repository.')
  const { credentials } = deps
  context.gitHost = await deps.openGitHost({ credentials, repository, access: 'read', signal })
  return passed(
    context.permissions ? 'The GitHub App is installed on the repository.' : 'An access token is configured.',
  )
}

/** Tests that the credential can access the repository, and that it is not archived. */
export async function testReachable(context: ConnectionCheckContext): Promise<Found> {
  const found = await testReadable(context)
  if (!context.facts?.isArchived) return found
  return failed('The repository is archived and read-only. Unarchive it or choose a different one.')
}

/** Tests that the credential can access the repository. */
export async function testReadable(context: ConnectionCheckContext): Promise<Found> {
  if (!context.gitHost) return passed('The repository exists.')
  try {
    context.facts = await context.gitHost.getRepository()
    return passed(`The credential can access ${context.facts.path}.`)
  } catch (error) {
    if (!(error instanceof GitHostError)) throw error
    if (error.code === 'unauthorized') {
      return failed('The Git host rejected the credential. It is wrong, expired or revoked. Save a new one.')
    }
    if (error.code !== 'not_found') throw error
    return failed(
      `The repository ${need(context.repository).path} does not exist, or the credential has no access to it. Add it to the token's repositories, or correct the URL.`,
      WORDS.access,
    )
  }
}

/** Tests that the base branch of pull requests exists. */
export async function testBaseBranch(context: ConnectionCheckContext): Promise<Found> {
  const branch = await findBranch(context)
  if (branch === 'unreadable') return skipped('Reading branches requires permission to read contents.')
  if (branch.exists) return passed(`Pull requests target ${branch.name}.`)
  return failed(
    context.connection.baseBranch === null
      ? `The default branch ${branch.name} has no commits. Push a first commit.`
      : `The branch ${branch.name} does not exist. Correct the project's base branch.`,
  )
}

/** Looks up the connection's branch. `unreadable` if the credential cannot read contents. */
export async function findBranch(
  context: ConnectionCheckContext,
): Promise<{ name: string; exists: boolean } | 'unreadable'> {
  const { gitHost, facts } = context
  if (!gitHost || !facts) return 'unreadable'
  const name = context.connection.baseBranch ?? facts.defaultBranch
  try {
    const { commit } = await gitHost.getBranch({ branch: name })
    context.branch = name
    context.commit = commit
    return { name, exists: true }
  } catch (error) {
    if (!(error instanceof GitHostError)) throw error
    if (error.code === 'forbidden') return 'unreadable'
    if (error.code !== 'not_found') throw error
    return { name, exists: false }
  }
}

const NO_READ = "The credential cannot read the repository's files."
const NO_PUSH = 'The credential cannot push branches.'
const NO_PULLS = 'The credential cannot open pull requests.'

/** Tests that git can list the refs, which is the first step of a checkout. */
export async function testContents(context: ConnectionCheckContext): Promise<Found> {
  if (isGranted(context, 'contents', 'read') === false) return failed(NO_READ, WORDS.contents)
  try {
    await overGit(context, (options) => findBranchTip(options, context.branch ?? null))
    return passed('The credential can read files.')
  } catch (error) {
    if (error instanceof GitHttpError && isRejection(error.code)) return failed(NO_READ, WORDS.contents)
    throw error
  }
}

/**
 * Tests the permission to push. An App's permissions are known. For a token, checks its owner's
 * role, then git's response to the start of a push. Pushes no data.
 */
export async function testPush(context: ConnectionCheckContext): Promise<Found> {
  const granted = isGranted(context, 'contents', 'write')
  if (granted !== null) return granted ? passed('The credential can push branches.') : failed(NO_PUSH, WORDS.contents)
  if (context.facts?.mayPush === false) {
    return failed(`${NO_PUSH} Its owner needs write access to the repository.`, WORDS.contents)
  }
  try {
    await overGit(context, (options) => buildGitHttp({ ...options, remotes: new Map() }).findBase('git-receive-pack'))
    return passed('The credential can push branches.')
  } catch (error) {
    if (error instanceof GitHttpError && isRejection(error.code)) return failed(NO_PUSH, WORDS.contents)
    throw error
  }
}

/**
 * Tests the permission to open pull requests. An App's permissions are known. A token is tested by
 * opening a pull request from a branch that does not exist. The host checks the permission first
 * and then rejects the request.
 */
export async function testPullRequests(context: ConnectionCheckContext): Promise<Found> {
  const granted = isGranted(context, 'pull_requests', 'write')
  if (granted !== null)
    return granted ? passed('The credential can open pull requests.') : failed(NO_PULLS, WORDS.pullRequests)
  const { gitHost, branch } = context
  if (!gitHost || branch === undefined) return skipped('Skipped because the base branch is unknown.')
  const result = await gitHost.testAccess({ to: 'open_pull_requests', base: branch })
  if (result === 'refused') return failed(NO_PULLS, WORDS.pullRequests)
  return passed('The credential can open pull requests.')
}

/**
 * Tests the permission to read checks. Jobs work without it, but cannot show all checks on their
 * pull requests.
 */
export async function testChecks(context: ConnectionCheckContext): Promise<Found> {
  const [checks, statuses] = [isGranted(context, 'checks', 'read'), isGranted(context, 'statuses', 'read')]
  if (checks !== null && statuses !== null) {
    const missing = [...(checks ? [] : [WORDS.checks]), ...(statuses ? [] : [WORDS.statuses])]
    if (missing.length === 0) return passed('The credential can read the checks on pull requests.')
    return failed('Jobs work, but cannot show all checks on their pull requests.', ...missing)
  }
  const { gitHost, commit } = context
  if (!gitHost || commit === undefined) return skipped('Skipped because the base branch is unknown.')
  const read = await gitHost.testAccess({ to: 'read_statuses', commit })
  if (read === 'refused') {
    return failed('Jobs work, but cannot show the commit statuses of their pull requests.', WORDS.statuses)
  }
  const runs = await gitHost.testAccess({ to: 'read_checks', commit })
  // Fine-grained tokens cannot have this permission.
  return passed(
    runs === 'refused'
      ? 'The credential can read commit statuses. Only a GitHub App can read check runs.'
      : 'The credential can read the checks on pull requests.',
  )
}

/**
 * Tests the permission to start workflows, if the deploy target needs it. A token is tested with a
 * branch that does not exist, so that no workflow starts.
 */
export async function testActions(context: ConnectionCheckContext): Promise<Found> {
  const { target } = context.connection
  if (target?.kind !== 'workflow_dispatch') return skipped('The project does not deploy with a workflow.')
  const rejection = failed('The credential cannot start workflows, so deployments will fail.', WORDS.actions)
  const granted = isGranted(context, 'actions', 'write')
  if (granted === false) return rejection
  const { gitHost } = context
  if (!gitHost) return skipped('Skipped because the credential cannot read contents.')
  if (granted === true) return passed('The credential can start workflows.')
  const result = await gitHost.testAccess({ to: 'start_workflow', workflow: target.workflow })
  if (result === 'refused') return rejection
  if (result === 'missing') return failed(`The workflow ${target.workflow} does not exist in the repository.`)
  return passed('The credential can start workflows.')
}

function overGit<T>(context: ConnectionCheckContext, work: (options: GitHttpOptions) => Promise<T>): Promise<T> {
  const { deps, signal, connection } = context
  const repository = need(context.repository)
  const url = `${connection.repositoryUrl}.git`
  return withToken(deps.credentials, { repository, access: 'read', signal }, (token) =>
    work({ ...deps.gitHttp, url, token, signal }),
  )
}

const isRejection = (code: string): boolean => code === 'forbidden' || code === 'unauthorized' || code === 'not_found'

export interface CheckDeps extends GitAccess {
  readonly log: Log
}

/** Result of one step. `missing` lists permissions by their GitHub names. */
export interface Found {
  readonly status: 'passed' | 'failed' | 'skipped'
  readonly message: string
  readonly missing?: readonly string[]
  /** Jobs work although the step failed. */
  readonly isOptional?: boolean
}

/** State that each step passes to later steps. */
export interface ConnectionCheckContext {
  readonly deps: CheckDeps
  readonly connection: Omit<Connection, 'sources'>
  readonly signal: AbortSignal
  repository?: RepositoryAddress
  /** The App's permissions; null for a personal token, whose permissions are unknown. */
  permissions?: Permissions | null
  gitHost?: GitHost
  /** Repository data from the host. */
  facts?: RepositoryFacts
  branch?: string
  /** Newest commit of the base branch. */
  commit?: string
}

export const passed = (message: string): Found => ({ status: 'passed', message })
export const skipped = (message: string): Found => ({ status: 'skipped', message })
export const failed = (message: string, ...missing: string[]): Found => ({ status: 'failed', message, missing })

/**
 * Returns whether an App has a permission at this level or higher; null if unknown (a personal
 * token).
 */
export function isGranted(
  { permissions }: ConnectionCheckContext,
  name: string,
  level: 'read' | 'write',
): boolean | null {
  if (!permissions) return null
  return permissions[name] === 'write' || permissions[name] === 'admin' || permissions[name] === level
}

/** Returns a value set by an earlier step. */
export function need<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a connection check step ran before the step it depends on')
  return value
}
