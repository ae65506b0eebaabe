import { toRepositoryAddress } from '@corrigenda/contracts'
import { toRepositoryUrl } from '@corrigenda/core/projects'
import { GitHostError } from '../git-host/git-host-error.ts'
import { type CheckBench, type Found, failed, isGranted, need, passed, skipped } from './check-bench.ts'
import { WORDS } from './permission-words.ts'

/** Tests that the operator allows the workers to reach the host. */
export async function testHost(bench: CheckBench): Promise<Found> {
  const { repositoryUrl } = bench.connection
  try {
    bench.repository = toRepositoryAddress(toRepositoryUrl(repositoryUrl, bench.deps.allowedRepositoryHosts))
  } catch (error) {
    return failed(error instanceof Error ? error.message : 'The repository is not allowed.')
  }
  return passed(`${bench.repository.host} is an allowed Git host.`)
}

/** Tests that there is a credential, and that an App is installed on the repository. */
export async function testCredential(bench: CheckBench): Promise<Found> {
  const { deps, signal } = bench
  const repository = need(bench.repository)
  bench.permissions = await deps.credentials.findPermissions({ repository, signal })
  // An App without read permission cannot issue a token. The steps below report that.
  if (isGranted(bench, 'contents', 'read') === false) return passed('The GitHub App is installed on the repository.')
  const { credentials } = deps
  bench.gitHost = await deps.openGitHost({ credentials, repository, access: 'read', signal })
  return passed(bench.permissions ? 'The GitHub App is installed on the repository.' : 'An access token is configured.')
}

/** Tests that the credential can see the repository. */
export async function testReachable(bench: CheckBench): Promise<Found> {
  if (!bench.gitHost) return passed('The repository exists.')
  try {
    const found = await bench.gitHost.getRepository()
    bench.facts = found
    if (found.isArchived) return failed('The repository is archived and read-only. Unarchive it or choose another one.')
    return passed(`The credential can access ${found.path}.`)
  } catch (error) {
    if (!(error instanceof GitHostError)) throw error
    if (error.code === 'unauthorized') {
      return failed('The Git host rejected the credential. It is wrong, expired or revoked. Save a new one.')
    }
    if (error.code !== 'not_found') throw error
    return failed(
      `The repository ${need(bench.repository).path} does not exist, or the credential has no access to it. Add it to the token's repositories, or correct the URL.`,
      WORDS.access,
    )
  }
}

/** Tests that the base branch of pull requests exists. */
export async function testBaseBranch(bench: CheckBench): Promise<Found> {
  const { gitHost, facts } = bench
  if (!gitHost || !facts) return skipped('Reading branches requires permission to read contents.')
  const branch = bench.connection.baseBranch ?? facts.defaultBranch
  try {
    const { commit } = await gitHost.getBranch({ branch })
    bench.branch = branch
    bench.commit = commit
    return passed(`Pull requests target ${branch}.`)
  } catch (error) {
    if (!(error instanceof GitHostError)) throw error
    if (error.code === 'forbidden') return skipped('Reading branches requires permission to read contents.')
    if (error.code !== 'not_found') throw error
    return failed(
      bench.connection.baseBranch === null
        ? `The default branch ${branch} has no commits. Push a first commit.`
        : `The branch ${branch} does not exist. Correct the base branch of the project.`,
    )
  }
}
