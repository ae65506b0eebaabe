import type { Log } from '@corrigenda/core/runtime'
import { findClaim } from './build-group-sign-in.ts'

const TIMEOUT_MS = 10_000

/** The claims about a user, in the form that the sign-in library expects. */
interface OidcProfile extends Record<string, unknown> {
  readonly id: string
  readonly sub: string
  readonly emailVerified: boolean
}

/**
 * Returns the function that reads a user's claims from the ID token, which the library has verified,
 * and from the UserInfo endpoint if the token has no email address or no groups. Many providers
 * return these only there. The function returns null, which rejects the sign-in, if the claims
 * cannot be read.
 * @param input.groupsClaim null if groups are not used
 */
export function buildReadProfile(
  { log }: { readonly log: Log },
  input: { readonly discoveryUrl: string; readonly groupsClaim: string | null },
) {
  const { discoveryUrl, groupsClaim } = input
  let endpoint: string | null | undefined

  const findEndpoint = async (): Promise<string | null> => {
    if (endpoint !== undefined) return endpoint
    const found = (await fetchJson(discoveryUrl)).userinfo_endpoint
    endpoint = typeof found === 'string' ? found : null
    return endpoint
  }

  /** Returns the claims of the endpoint, or none if the provider does not have it. */
  const readUserInfo = async (sub: unknown, accessToken: string | undefined): Promise<Record<string, unknown>> => {
    const url = await findEndpoint()
    if (url === null || accessToken === undefined) return {}
    const info = await fetchJson(url, { authorization: `Bearer ${accessToken}` })
    // Without this check, the claims could be those of another user (OpenID Connect Core 1.0, 5.3.2).
    if (info.sub !== sub) throw new Error('the UserInfo response is about another user')
    return info
  }

  return async (tokens: {
    idToken?: string | undefined
    accessToken?: string | undefined
  }): Promise<OidcProfile | null> => {
    if (tokens.idToken === undefined) return null
    const token = readPayload(tokens.idToken)
    const isComplete =
      typeof token.email === 'string' && (groupsClaim === null || findClaim(token, groupsClaim) !== undefined)
    try {
      const info: Record<string, unknown> = isComplete ? {} : await readUserInfo(token.sub, tokens.accessToken)
      const claims: Record<string, unknown> = { ...info, ...token }
      // The statement counts only if it comes from the document that has the address.
      const { email_verified: verified } = typeof token.email === 'string' ? token : info
      return {
        ...claims,
        id: String(claims.sub),
        sub: String(claims.sub),
        emailVerified: verified === true || verified === 'true',
        image: claims.picture,
      }
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'reading the claims of a user from the identity provider failed')
      return null
    }
  }
}

async function fetchJson(url: string, headers: Record<string, string> = {}): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    headers: { accept: 'application/json', ...headers },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  if (!response.ok) throw new Error(`${new URL(url).pathname} returned status ${response.status}`)
  return (await response.json()) as Record<string, unknown>
}

/** Returns the claims of a token whose signature has been verified. */
const readPayload = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
