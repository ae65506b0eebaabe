import { toRepositoryAddress } from '@corrigenda/contracts'
import { toRepositoryUrl } from '@corrigenda/core/projects'
import { GitHostError } from '../git-host/git-host-error.ts'
import {
  type ConnectionCheckContext,
  type Found,
  failed,
  isGranted,
  need,
  passed,
  skipped,
} from './connection-check-context.ts'
import { WORDS } from './permission-words.ts'

/** Tests that the operator allows the repository's host. */
export async function testHost(context: ConnectionCheckContext): Promise<Found> {
  const { repositoryUrl } = context.connection
  try {
    context.repository = toRepositoryAddress(toRepositoryUrl(repositoryUrl, context.deps.allowedRepositoryHosts))
  } catch (error) {
    return failed(error instanceof Error ? error.message : 'The repository is not allowed.')
  }
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
