import { createHash, timingSafeEqual } from 'node:crypto'
import { covers, type InstallationToken, type Level } from './app-tokens.ts'
import type { HostState, Repository } from './host-state.ts'
import { HttpError, notFound } from './http-error.ts'
import type { Account } from './types.ts'

/**
 * The authenticated caller: the owner of a personal token, or the App with an installation token. A
 * fine-grained token has a grant. A classic token has all permissions.
 */
export type Principal =
  | { readonly kind: 'user'; readonly account: Account; readonly grant: Omit<InstallationToken, 'expiresAt'> | null }
  | { readonly kind: 'installation'; readonly account: Account; readonly token: InstallationToken }

/**
 * Returns the credential in an Authorization header of any scheme that GitHub accepts, or null if
 * the header contains no credential.
 */
export function readCredential(header: string | undefined): { scheme: string; user: string; secret: string } | null {
  const [, scheme, value] = /^(basic|bearer|token) +(\S+) *$/i.exec(header ?? '') ?? []
  if (!scheme || !value) return null
  if (scheme.toLowerCase() !== 'basic') return { scheme: 'bearer', user: '', secret: value }
  const text = Buffer.from(value, 'base64').toString()
  const colon = text.indexOf(':')
  return { scheme: 'basic', user: text.slice(0, colon), secret: text.slice(colon + 1) }
}

/** Returns the caller that a secret authenticates, or null if the secret is invalid. */
export function findPrincipal(state: HostState, secret: string): Principal | null {
  const account = toUser(state)
  if (isEqual(secret, state.token)) return { kind: 'user', account, grant: null }
  const fine = state.fineTokens.get(secret)
  if (fine) return { kind: 'user', account, grant: fine }
  const token = state.installationTokens.get(secret)
  if (!token || token.expiresAt <= Date.now()) return null
  return { kind: 'installation', account: toBot(state), token }
}

export const toUser = (state: HostState): Account => ({ login: state.login, type: 'User' })
export const toBot = (state: HostState): Account => ({ login: `${state.app().slug}[bot]`, type: 'Bot' })

function isEqual(a: string, b: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(a), hash(b))
}

/** Throws 404 for a repository that the token does not cover, as if it did not exist. */
export function checkVisible(principal: Principal, repository: Repository): void {
  const ids = toGrant(principal)?.repositoryIds
  if (ids && !ids.includes(repository.record.id)) throw notFound()
}

const toGrant = (principal: Principal) => (principal.kind === 'installation' ? principal.token : principal.grant)

/**
 * Throws 403 unless the principal has one of the permissions, which have the form `contents:write`.
 * A classic token has all permissions.
 */
export function checkPermitted(principal: Principal, anyOf: readonly string[]): void {
  const grant = toGrant(principal)
  if (!grant || anyOf.length === 0) return
  const permitted = anyOf.some((need) => {
    const [permission = '', level = 'read'] = need.split(':')
    return covers(grant.permissions, permission, level as Level)
  })
  const who = principal.kind === 'installation' ? 'integration' : 'personal access token'
  if (!permitted) throw new HttpError(403, `Resource not accessible by ${who}`)
}
