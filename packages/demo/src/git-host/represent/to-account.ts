import { type HostState, toStableId } from '../host/host-state.ts'
import type { Account } from '../host/types.ts'

/** Returns a user, bot or organization as GitHub embeds it in other objects (`simple-user`). */
export function toAccount(state: HostState, { login, type }: Account) {
  const api = `${state.url}/api/v3/users/${encodeURIComponent(login)}`
  return {
    login,
    id: toStableId(login),
    node_id: toNodeId('U', toStableId(login)),
    avatar_url: `${state.url}/avatars/${encodeURIComponent(login)}`,
    gravatar_id: '',
    url: api,
    html_url: `${state.url}/${encodeURIComponent(login)}`,
    followers_url: `${api}/followers`,
    following_url: `${api}/following{/other_user}`,
    gists_url: `${api}/gists{/gist_id}`,
    starred_url: `${api}/starred{/owner}{/repo}`,
    subscriptions_url: `${api}/subscriptions`,
    organizations_url: `${api}/orgs`,
    repos_url: `${api}/repos`,
    events_url: `${api}/events{/privacy}`,
    received_events_url: `${api}/received_events`,
    type,
    user_view_type: 'public',
    site_admin: false,
  }
}

/** Returns the account that owns a repository. */
export const toOwner = (login: string): Account => ({ login, type: 'Organization' })

/** Returns an opaque ID in the style of GitHub's global IDs. */
export function toNodeId(kind: string, id: number | string): string {
  return `${kind}_${Buffer.from(`${kind}:${id}`).toString('base64url')}`
}

/** Formats a time without milliseconds, as GitHub does. */
export function toGitHubTime(iso: string | number): string {
  return new Date(iso).toISOString().replace(/\.\d{3}Z$/, 'Z')
}
