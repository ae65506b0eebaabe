import { generateKeyPairSync, type KeyObject, randomBytes, randomInt, verify } from 'node:crypto'
import { HttpError } from './http-error.ts'

export type Level = 'read' | 'write'
export type Permissions = Readonly<Record<string, Level>>

/** The GitHub App that is installed on every repository of the host. */
export interface AppRegistration {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly installationId: number
  permissions: Permissions
  /** In PKCS #1 PEM format, as issued by GitHub. */
  readonly privateKey: string
  readonly publicKey: KeyObject
}

/** A manifest that a user has submitted to register an App. Its code can be used once. */
export interface SubmittedManifest {
  readonly name: string
  readonly permissions: Permissions
  readonly events: readonly string[]
  /** Null if the App receives no webhooks. */
  readonly hookUrl: string | null
}

export interface InstallationToken {
  /**
   * IDs of the repositories that the token covers, or null for all repositories in the
   * installation.
   */
  readonly repositoryIds: readonly number[] | null
  readonly permissions: Permissions
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

const HOUR = 3_600_000
const MAX_JWT_LIFETIME_SECONDS = 600
const CLOCK_SKEW_SECONDS = 60

export function buildAppRegistration(): AppRegistration {
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
  const [header = '', payload = '', signature = '', ...rest] = jwt.split('.')
  const signed = Buffer.from(`${header}.${payload}`)
  const { alg } = parsePart(header)
  const wellFormed = rest.length === 0 && alg === 'RS256'
  if (!wellFormed || !verify('RSA-SHA256', signed, app.publicKey, Buffer.from(signature, 'base64url'))) {
    throw new HttpError(401, 'A JSON web token could not be decoded')
  }
  const { iss, iat, exp } = parsePart(payload)
  if (String(iss) !== String(app.id)) throw new HttpError(401, 'Integration not found')
  if (typeof iat !== 'number' || iat > now + CLOCK_SKEW_SECONDS) {
    throw new HttpError(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    )
  }
  if (typeof exp !== 'number' || exp <= now) {
    throw new HttpError(
      401,
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    )
  }
  if (exp > now + MAX_JWT_LIFETIME_SECONDS + CLOCK_SKEW_SECONDS) {
    throw new HttpError(401, "'Expiration time' claim ('exp') is too far in the future")
  }
}

function parsePart(part: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/**
 * Creates a token that is valid for one hour. Its length varies, because clients must not rely on a
 * fixed length.
 */
export function mintInstallationToken(
  tokens: Map<string, InstallationToken>,
  app: AppRegistration,
  grant: Pick<InstallationToken, 'repositoryIds' | 'permissions'>,
): { value: string; expiresAt: number } {
  const value = `ghs_${app.id}_${randomBytes(randomInt(27, 90)).toString('base64url')}`
  const expiresAt = Date.now() + HOUR
  tokens.set(value, { ...grant, expiresAt })
  return { value, expiresAt }
}

/** Returns true if `have` includes the permission at this level. Every token can read metadata. */
export function covers(have: Permissions, permission: string, level: Level): boolean {
  if (permission === 'metadata') return level === 'read'
  return have[permission] === 'write' || have[permission] === level
}
