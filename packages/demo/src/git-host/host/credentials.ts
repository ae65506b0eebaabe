import { createHash, generateKeyPairSync, randomBytes, randomInt, timingSafeEqual, verify } from 'node:crypto'
import { HttpError } from './exchange.ts'
import { getRepository, type HostState, type Repository } from './host-state.ts'
import type { Account, AppRegistration, Grant, Permissions } from './types.ts'

/** The authenticated caller. A classic token has all permissions and no grant. */
export interface Principal {
  readonly account: Account
  readonly grant: Grant | null
}

const HOUR = 3_600_000
const MAX_JWT_LIFETIME_SECONDS = 600
const CLOCK_SKEW_SECONDS = 60

export function getApp(state: HostState): AppRegistration {
  state.app ??= buildApp()
  return state.app
}

function buildApp(): AppRegistration {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return {
    id: 4242,
    slug: 'corrigenda',
    name: 'Corrigenda',
    installationId: 777_001,
    permissions: {
      actions: 'write',
      contents: 'write',
      pull_requests: 'write',
      checks: 'read',
      statuses: 'read',
      metadata: 'read',
    },
    privateKey: privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    publicKey,
  }
}

/**
 * Throws 401 unless GitHub would accept `jwt` for this App. The JWT must use RS256, have the right
 * signature and issuer, be issued in the past, not be expired, and be valid for at most ten minutes
 * (https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app).
 */
export function checkAppJwt(app: AppRegistration, jwt: string, now = Date.now() / 1000): void {
  const refuse = (why: string): never => {
    throw new HttpError(401, why)
  }
  const [header = '', payload = '', signature = '', ...rest] = jwt.split('.')
  const signed = Buffer.from(`${header}.${payload}`)
  const wellFormed = rest.length === 0 && parsePart(header).alg === 'RS256'
  if (!wellFormed || !verify('RSA-SHA256', signed, app.publicKey, Buffer.from(signature, 'base64url')))
    refuse('A JSON web token could not be decoded')
  const { iss, iat, exp } = parsePart(payload)
  if (String(iss) !== String(app.id)) refuse('Integration not found')
  if (typeof iat !== 'number' || iat > now + CLOCK_SKEW_SECONDS)
    refuse("'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued")
  if (typeof exp !== 'number' || exp <= now)
    refuse(
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    )
  if (Number(exp) > now + MAX_JWT_LIFETIME_SECONDS + CLOCK_SKEW_SECONDS)
    refuse("'Expiration time' claim ('exp') is too far in the future")
}

function parsePart(part: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(Buffer.from(part, 'base64url').toString()))
  } catch {
    return {}
  }
}

/**
 * Creates an installation token that is valid for one hour. Its length varies, because clients must
 * not rely on a fixed length.
 */
export function mintInstallationToken(
  state: HostState,
  repositoryIds: readonly number[] | null,
  permissions: Permissions,
): { value: string; expiresAt: number } {
  const value = `ghs_${getApp(state).id}_${randomBytes(randomInt(27, 90)).toString('base64url')}`
  const expiresAt = Date.now() + HOUR
  state.grants.set(value, { kind: 'installation', repositoryIds, permissions, expiresAt })
  return { value, expiresAt }
}

/** Permissions that fine-grained personal access tokens can have. Only Apps can have `checks`. */
const TOKEN_PERMISSIONS = ['actions', 'contents', 'issues', 'metadata', 'pull_requests', 'statuses']

/**
 * Adds a fine-grained personal access token for these repositories (default: all).
 * @throws Error for a permission that such tokens cannot have
 */
export function addFineToken(state: HostState, permissions: Permissions, repositories?: readonly string[]): string {
  const impossible = Object.keys(permissions).find((name) => !TOKEN_PERMISSIONS.includes(name))
  if (impossible) throw new Error(`A fine-grained token cannot have the permission ${impossible}`)
  const value = `github_pat_${randomBytes(41).toString('hex')}`
  const repositoryIds = repositories?.map((full) => getRepository(state, full).record.id) ?? null
  state.grants.set(value, { kind: 'user', repositoryIds, permissions, expiresAt: Number.POSITIVE_INFINITY })
  return value
}

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
  if (isEqual(secret, state.token)) return { account: toUser(state), grant: null }
  const grant = state.grants.get(secret)
  if (!grant || grant.expiresAt <= Date.now()) return null
  return { account: grant.kind === 'user' ? toUser(state) : toBot(state), grant }
}

export const toUser = (state: HostState): Account => ({ login: state.login, type: 'User' })
export const toBot = (state: HostState): Account => ({ login: `${getApp(state).slug}[bot]`, type: 'Bot' })

function isEqual(a: string, b: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(a), hash(b))
}

/** Returns true if the token covers the repository. Others must not learn that it exists. */
export function isVisible({ grant }: Principal, repository: Repository): boolean {
  return grant?.repositoryIds?.includes(repository.record.id) ?? true
}

/**
 * Returns true if the principal has one of the permissions, which have the form `contents:write`. A
 * classic token has all permissions.
 */
export function isPermitted({ grant }: Principal, anyOf: readonly string[]): boolean {
  if (!grant) return true
  return anyOf.some((need) => {
    const [permission = '', level = ''] = need.split(':')
    return covers(grant.permissions, permission, level)
  })
}

/** Returns true if `have` includes the permission at this level. Every token can read metadata. */
export function covers(have: Permissions, permission: string, level: string): boolean {
  if (permission === 'metadata') return level === 'read'
  return have[permission] === level || (have[permission] === 'write' && level === 'read')
}
