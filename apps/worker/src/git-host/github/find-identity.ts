import type { RepositoryAddress } from '@corrigenda/contracts'
import type { Octokit } from '@octokit/rest'
import type { CommitIdentity } from '../credentials.ts'
import { GitHostError } from '../git-host-error.ts'
import { buildOctokit, type GitHubSettings } from './build-octokit.ts'
import { callGitHub } from './call-github.ts'
import { toApiUrl } from './to-api-url.ts'

interface Lookup {
  readonly repository: RepositoryAddress
  readonly signal: AbortSignal
}

/**
 * Returns the user of a token; null for a token that belongs to no user, such as that of an App's
 * installation.
 */
export async function findTokenUser(
  settings: GitHubSettings,
  { repository, token, signal }: Lookup & { readonly token: string },
): Promise<CommitIdentity | null> {
  const octokit = buildOctokit(settings, { apiUrl: toApiUrl(repository, settings), token })
  return nullIfHidden(async () => {
    const context = { what: "read the token's user", target: repository.host, signal }
    return toIdentity(repository, await callGitHub(() => octokit.rest.users.getAuthenticated(), context))
  })
}

/**
 * Returns the bot account of an App.
 * @param app authenticated as the App
 * @param installation authenticated as its installation on the repository
 */
export async function findBot(app: Octokit, installation: Octokit, lookup: Lookup): Promise<CommitIdentity | null> {
  const { repository, signal } = lookup
  return nullIfHidden(async () => {
    const context = { what: "read the App's account", target: repository.host, signal }
    const found = await callGitHub(() => app.rest.apps.getAuthenticated(), context)
    if (!found?.slug) return null
    const username = `${found.slug}[bot]`
    return toIdentity(repository, await callGitHub(() => installation.rest.users.getByUsername({ username }), context))
  })
}

/**
 * Uses the host's no-reply address, which links the commit to the account and reveals no other
 * address (https://docs.github.com/account-and-profile/reference/email-addresses-reference).
 */
function toIdentity({ host }: RepositoryAddress, { login, id }: { login: string; id: number }): CommitIdentity {
  return { name: login, email: `${id}+${login}@users.noreply.${host.replace(/:\d+$/, '')}` }
}

async function nullIfHidden(read: () => Promise<CommitIdentity | null>): Promise<CommitIdentity | null> {
  try {
    return await read()
  } catch (error) {
    const isHidden = error instanceof GitHostError && ['forbidden', 'not_found', 'unauthorized'].includes(error.code)
    if (isHidden) return null
    throw error
  }
}
