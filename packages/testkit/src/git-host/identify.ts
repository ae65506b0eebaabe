import { createHash, timingSafeEqual } from 'node:crypto'
import { covers, type InstallationToken, type Level } from './app-tokens.ts'
import type { HostState, Repository } from './host-state.ts'
import { HttpError, notFound } from './http-error.ts'
import type { Account } from './types.ts'

/** Who asks: the owner of the personal token, or the App with an installation token. */
export type Principal =
  | { readonly kind: 'person'; readonly account: Account }
  | { readonly kind: 'installation'; readonly account: Account; readonly token: InstallationToken }

/** The secret in an Authorization header of any kind that GitHub takes; null when there is none. */
export function readCredential(header: string | undefined): { scheme: string; user: string; secret: string } | null {
  const [, scheme, value] = /^(basic|bearer|token) +(\S+) *$/i.exec(header ?? '') ?? []
  if (!scheme || !value) return null
  if (scheme.toLowerCase() !== 'basic') return { scheme: 'bearer', user: '', secret: value }
  const text = Buffer.from(value, 'base64').toString()
  const colon = text.indexOf(':')
  return { scheme: 'basic', user: text.slice(0, colon), secret: text.slice(colon + 1) }
}

/** Null when the secret is unknown, revoked or expired. */
export function findPrincipal(state: HostState, secret: string): Principal | null {
  if (isEqual(secret, state.token)) return { kind: 'person', account: { login: state.login, type: 'User' } }
  const token = state.installationTokens.get(secret)
  if (!token || token.expiresAt <= Date.now()) return null
  return { kind: 'installation', account: { login: `${state.app().slug}[bot]`, type: 'Bot' }, token }
}

function isEqual(a: string, b: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(a), hash(b))
}

/** 404 for a repository that the token was not minted for: to that token it does not exist. */
export function checkVisible(principal: Principal, repository: Repository): void {
  if (principal.kind !== 'installation' || !principal.token.repositoryIds) return
  if (!principal.token.repositoryIds.includes(repository.record.id)) throw notFound()
}

/** 403 unless the principal has one of the permissions, written `contents:write`. A person has them all. */
export function checkPermitted(principal: Principal, anyOf: readonly string[]): void {
  if (principal.kind !== 'installation' || anyOf.length === 0) return
  const permitted = anyOf.some((need) => {
    const [permission = '', level = 'read'] = need.split(':')
    return covers(principal.token.permissions, permission, level as Level)
  })
  if (!permitted) throw new HttpError(403, 'Resource not accessible by integration')
}
