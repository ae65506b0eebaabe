import type { DeployedCommit } from '@corrigenda/contracts'
import { GitHubError } from '../github/github-error.ts'
import { type GitHub, openGitHub } from '../github/open-github.ts'
import { DeployFailure } from './deploy-failure.ts'
import type { DeployStep } from './deploy-step.ts'

type FilesChanged = DeployedCommit['filesChanged']

const UNKNOWN: FilesChanged = { added: [], modified: [], removed: [] }
const MAX_MESSAGE = 4_000

/**
 * Asks the Git host what is deployed: the newest commit of the base branch, and how it differs from the one deployed before.
 * @throws DeployFailure when the branch does not exist; GitHubError, CredentialsError
 */
export async function resolveCommit(step: DeployStep): Promise<DeployedCommit> {
  const { deps, claim, repository, signal } = step
  const { owner, name: repo } = repository
  const github = await openGitHub(
    { ...deps.github, credentials: deps.credentials },
    { repository, access: 'read', signal },
  )
  try {
    const branch =
      claim.baseBranch ??
      (await github.call('read the repository', (octokit, request) => octokit.rest.repos.get({ owner, repo, request })))
        .default_branch
    const tip = await github
      .call('read the base branch', (octokit, request) =>
        octokit.rest.repos.getBranch({ owner, repo, branch, request }),
      )
      .catch((error: unknown) => {
        if (!(error instanceof GitHubError) || error.code !== 'not_found') throw error
        throw new DeployFailure(
          `${repository.owner}/${repository.name} has no branch ${branch}. Correct the project's base branch, or push a first commit.`,
        )
      })
    const { sha } = tip.commit
    const filesChanged = await compare(github, step, sha)
    return { sha, ref: branch, message: tip.commit.commit.message.slice(0, MAX_MESSAGE).toWellFormed(), filesChanged }
  } finally {
    github.close()
  }
}

/** The host lists 300 files at the most. A renamed file is one removed and one added. */
async function compare(github: GitHub, { claim, repository, note }: DeployStep, sha: string): Promise<FilesChanged> {
  const before = claim.deployedBefore
  if (before === null || before === sha) return UNKNOWN
  const { owner, name: repo } = repository
  try {
    const { files = [] } = await github.call('compare with the commit deployed before', (octokit, request) =>
      octokit.rest.repos.compareCommitsWithBasehead({ owner, repo, basehead: `${before}...${sha}`, request }),
    )
    const renamed = files.filter((file) => file.status === 'renamed')
    const named = (...states: string[]) => files.filter(({ status }) => states.includes(status)).map((f) => f.filename)
    return {
      added: named('added', 'copied', 'renamed'),
      modified: named('modified', 'changed'),
      removed: [...named('removed'), ...renamed.flatMap((file) => file.previous_filename ?? [])],
    }
  } catch (error) {
    if (!(error instanceof GitHubError) || error.code === 'aborted') throw error
    // A rewritten history has lost the older commit; the deployment does not need it.
    await note({ line: `What changed since the deployment before (${before.slice(0, 7)}) is not known.` })
    return UNKNOWN
  }
}
