import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import http from 'node:http'
import type { AddressInfo } from 'node:net'

/** The provider's claims about the signed-in user. */
export interface OidcProfile {
  readonly sub: string
  readonly email: string
  readonly email_verified: boolean
  readonly name: string
  /** Further claims, such as `groups`. */
  readonly [claim: string]: unknown
}

/** A defect in an ID token, or in the response of the UserInfo endpoint. */
export type OidcFault =
  | 'signature'
  | 'issuer'
  | 'audience'
  | 'nonce'
  | 'expired'
  | 'no-id-token'
  | 'userinfo-status'
  | 'userinfo-subject'

export interface OidcProvider {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  /** The user who is signed in at the provider. */
  profile: OidcProfile
  /** Defect in ID tokens issued later, or null for valid tokens. */
  fault: OidcFault | null
  /** Claims that only the UserInfo endpoint returns. */
  userInfoClaims: readonly string[]
  /** Claims that only the ID token contains. */
  tokenClaims: readonly string[]
  /** Scopes that the client must request. The provider rejects other scopes (RFC 6749, 4.1.2.1). */
  scopes: readonly string[]
  /** Number of requests to the UserInfo endpoint. */
  readonly userInfoRequests: number
  /** Reasons why requests were rejected. */
  readonly refusals: readonly string[]
  close(): Promise<void>
}

interface Grant {
  readonly redirectUri: string
  readonly challenge: string
  readonly nonce: string | null
  readonly profile: OidcProfile
}

class Refused extends Error {}

const createKeys = () => generateKeyPairSync('rsa', { modulusLength: 2048 })
let keys: ReturnType<typeof createKeys> | undefined
/** One key pair per process, because creating one takes most of a second. */
const getKeys = () => (keys ??= createKeys())

/**
 * Starts an identity provider (OpenID Connect Core 1.0, authorization code flow) on loopback. It
 * signs in every user without a prompt, and enforces the client requirements of the standard and of
 * RFC 9700: the exact registered redirect URI, PKCE with S256, the client secret, and single-use
 * codes.
 */
export async function startOidcProvider(input: { redirectUri: string; profile: OidcProfile }): Promise<OidcProvider> {
  const { privateKey, publicKey } = getKeys()
  const [clientId, clientSecret] = ['corrigenda', randomBytes(16).toString('hex')]
  const grants = new Map<string, Grant>()
  const tokens = new Map<string, OidcProfile>()
  const refusals: string[] = []
  const state = {
    profile: input.profile,
    fault: null as OidcFault | null,
    issuer: '',
    userInfoClaims: [] as readonly string[],
    tokenClaims: [] as readonly string[],
    scopes: ['openid', 'email', 'profile'] as readonly string[],
    userInfoRequests: 0,
  }

  const authorize = (query: URLSearchParams): string => {
    const want = (name: string, value: string) => {
      if (query.get(name) !== value) throw new Refused(`${name} is ${query.get(name)}, expected ${value}`)
    }
    want('client_id', clientId)
    want('redirect_uri', input.redirectUri)
    want('response_type', 'code')
    want('code_challenge_method', 'S256')
    const challenge = query.get('code_challenge') ?? ''
    if (!/^[\w-]{43}$/.test(challenge)) throw new Refused('code_challenge is not a SHA-256 hash')
    if ((query.get('state') ?? '').length < 16) throw new Refused('state is too short')
    const scopes = query.get('scope')?.split(' ') ?? []
    if (scopes.toSorted().join(' ') !== state.scopes.toSorted().join(' ')) {
      throw new Refused(`scope is ${scopes.join(' ')}, expected ${state.scopes.join(' ')}`)
    }
    const code = randomBytes(16).toString('hex')
    const { profile } = state
    grants.set(code, { redirectUri: input.redirectUri, challenge, nonce: query.get('nonce'), profile })
    const back = new URL(input.redirectUri)
    back.searchParams.set('code', code)
    back.searchParams.set('state', query.get('state') ?? '')
    back.searchParams.set('iss', state.issuer)
    return back.href
  }

  const exchange = (body: URLSearchParams, authorization: string | undefined) => {
    const basic = Buffer.from(authorization?.replace(/^Basic /, '') ?? '', 'base64').toString()
    const given = authorization ? basic : `${body.get('client_id')}:${body.get('client_secret')}`
    if (given !== `${clientId}:${clientSecret}`) throw new Refused('the client credentials are invalid')
    if (body.get('grant_type') !== 'authorization_code') throw new Refused('grant_type is not authorization_code')
    const code = body.get('code') ?? ''
    const grant = grants.get(code)
    grants.delete(code)
    if (!grant) throw new Refused('the code is unknown or already used')
    if (body.get('redirect_uri') !== grant.redirectUri)
      throw new Refused('redirect_uri differs from the authorization request')
    const challenge = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    if (challenge !== grant.challenge) throw new Refused('code_verifier does not match code_challenge')
    const accessToken = randomBytes(16).toString('hex')
    tokens.set(accessToken, grant.profile)
    const answer = { access_token: accessToken, token_type: 'Bearer', expires_in: 300 }
    return state.fault === 'no-id-token' ? answer : { ...answer, id_token: buildIdToken(grant) }
  }

  const buildIdToken = ({ nonce, profile }: Grant): string => {
    const { fault } = state
    const now = Math.floor(Date.now() / 1000)
    const claims = {
      ...without(profile, state.userInfoClaims),
      iss: fault === 'issuer' ? 'https://evil.example' : state.issuer,
      aud: fault === 'audience' ? 'another-client' : clientId,
      iat: fault === 'expired' ? now - 7200 : now - 10,
      exp: fault === 'expired' ? now - 3600 : now + 300,
      ...(nonce !== null && { nonce: fault === 'nonce' ? 'another' : nonce }),
    }
    return signToken(fault === 'signature' ? createKeys().privateKey : privateKey, claims)
  }

  const server = http.createServer((request, response) => {
    let text = ''
    request.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
    request.on('end', () => {
      const url = new URL(request.url ?? '/', state.issuer)
      const json = (body: unknown) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
      try {
        if (url.pathname === '/.well-known/openid-configuration') json(toDiscovery(state.issuer))
        else if (url.pathname === '/jwks') {
          json({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'one', alg: 'RS256', use: 'sig' }] })
        } else if (url.pathname === '/authorize' && request.method === 'GET') {
          response.writeHead(302, { location: authorize(url.searchParams) }).end()
        } else if (url.pathname === '/token' && request.method === 'POST') {
          json(exchange(new URLSearchParams(text), request.headers.authorization))
        } else if (url.pathname === '/userinfo') {
          const profile = tokens.get(request.headers.authorization?.replace(/^Bearer /, '') ?? '')
          if (!profile) throw new Refused('the access token is unknown')
          state.userInfoRequests += 1
          if (state.fault === 'userinfo-status') response.writeHead(503).end()
          else {
            const claims = without(profile, state.tokenClaims)
            json(state.fault === 'userinfo-subject' ? { ...claims, sub: 'another' } : claims)
          }
        } else response.writeHead(404).end()
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        refusals.push(error.message)
        response.writeHead(400, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ error: 'invalid_request', error_description: error.message }))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  state.issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    issuer: state.issuer,
    clientId,
    clientSecret,
    refusals,
    get profile() {
      return state.profile
    },
    set profile(profile) {
      state.profile = profile
    },
    get userInfoClaims() {
      return state.userInfoClaims
    },
    set userInfoClaims(claims) {
      state.userInfoClaims = claims
    },
    get tokenClaims() {
      return state.tokenClaims
    },
    set tokenClaims(claims) {
      state.tokenClaims = claims
    },
    get scopes() {
      return state.scopes
    },
    set scopes(scopes) {
      state.scopes = scopes
    },
    get userInfoRequests() {
      return state.userInfoRequests
    },
    get fault() {
      return state.fault
    },
    set fault(fault) {
      state.fault = fault
    },
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()))
        server.closeAllConnections()
      }),
  }
}

const without = (profile: OidcProfile, claims: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(profile).filter(([name]) => !claims.includes(name)))

const toDiscovery = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
})

function signToken(key: KeyObject, claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'RS256', typ: 'JWT', kid: 'one' })}.${part(claims)}`
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), key).toString('base64url')}`
}
