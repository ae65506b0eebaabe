import type { RepositoryAddress } from '@corrigenda/contracts'
import { z } from 'zod'
import type { CommitIdentity } from '../credentials.ts'
import { GitHostError } from '../git-host-error.ts'
import { buildApi, type GitHubApi, type GitHubSettings, toApiUrl } from './build-api.ts'

const USER = { named: 'a user', schema: z.object({ login: z.string().min(1), id: z.number().int() }) }
const APP = { named: 'an App', schema: z.object({ id: z.number().int(), slug: z.string().optional() }) }

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
  const call = buildApi(settings, { apiUrl: toApiUrl(repository, settings), token })
  return nullIfHidden(async () => {
    const user = await call({
      what: "read the token's user",
      target: repository.host,
      signal,
      answer: USER,
      run: (octokit, request) => octokit.rest.users.getAuthenticated({ request }),
    })
    return toIdentity(repository, user)
  })
}

/**
 * Returns the bot account of an App.
 * @param app authenticated as the App
 * @param installation authenticated as its installation on the repository
 */
export async function findBot(app: GitHubApi, installation: GitHubApi, lookup: Lookup): Promise<CommitIdentity | null> {
  const { repository, signal } = lookup
  return nullIfHidden(async () => {
    const context = { what: "read the App's account", target: repository.host, signal }
    const { slug } = await app({
      ...context,
      answer: APP,
      run: (octokit, request) => octokit.rest.apps.getAuthenticated({ request }),
    })
    if (!slug) return null
    const bot = await installation({
      ...context,
      answer: USER,
      run: (octokit, request) => octokit.rest.users.getByUsername({ username: `${slug}[bot]`, request }),
    })
    return toIdentity(repository, bot)
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
