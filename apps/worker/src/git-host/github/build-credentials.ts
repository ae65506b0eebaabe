import { createPrivateKey, type KeyObject } from 'node:crypto'
import { GITHUB_PERMISSIONS, type RepositoryAddress } from '@corrigenda/contracts'
import { createAppAuth } from '@octokit/auth-app'
import { z } from 'zod'
import {
  type Access,
  type CommitIdentity,
  type CredentialSource,
  type Credentials,
  CredentialsError,
} from '../credentials.ts'
import { GitHostError } from '../git-host-error.ts'
import { untilAborted } from '../pause.ts'
import { buildApi, type GitHubApi, type GitHubSettings, toApiUrl, toOwnerAndName } from './build-api.ts'
import { findBot, findTokenUser } from './find-identity.ts'

const INSTALLATION = {
  named: "an App's installation",
  schema: z.object({
    id: z.number().int(),
    permissions: z.record(z.string(), z.unknown()),
    suspended_at: z.string().nullish(),
  }),
}
const TOKEN = {
  named: 'an access token',
  schema: z.object({
    token: z.string().min(1),
    expires_at: z
      .string()
      .transform((text) => Date.parse(text))
      .pipe(z.number()),
    repositories: z.array(z.object({ full_name: z.string() })).optional(),
    repository_selection: z.string().optional(),
  }),
}

const FRESH_MS = 5 * 60_000

interface Minted {
  readonly token: string
  readonly expiresAt: number
}

/**
 * Builds credentials from a source. Does no I/O.
 * @throws CredentialsError `bad_app_key` if an App's key cannot be parsed
 */
export function buildCredentials(source: CredentialSource, settings: GitHubSettings): Credentials {
  if (source.kind === 'token') return buildTokenCredentials(settings, source.token)
  const privateKey = findAppKey(source.privateKey)
  if (privateKey === null) {
    throw new CredentialsError(
      'bad_app_key',
      'GITHUB_APP_PRIVATE_KEY is not an unencrypted RSA private key. Use a .pem file from the "Private keys" section of the App settings on GitHub.',
    )
  }
  return buildAppCredentials({ ...settings, appId: source.appId, privateKey })
}

function buildTokenCredentials(settings: GitHubSettings, token: string): Credentials {
  const credentials: Credentials = {
    getToken: async () => token,
    findPermissions: async () => null,
    findIdentity: ({ repository, signal }) => findTokenUser(settings, { repository, token, signal }),
    forProject: () => credentials,
    forSource: () => credentials,
  }
  return credentials
}

function buildAppCredentials(deps: GitHubSettings & { appId: string | number; privateKey: string }): Credentials {
  const clients = new Map<string, GitHubApi>()
  const tokens = new Map<string, Promise<Minted>>()
  const bots = new Map<string, CommitIdentity>()

  const clientFor = (apiUrl: string): GitHubApi => {
    const known = clients.get(apiUrl)
    if (known) return known
    const auth = { appId: deps.appId, privateKey: deps.privateKey }
    const client = buildApi(deps, { apiUrl, authStrategy: createAppAuth, auth })
    clients.set(apiUrl, client)
    return client
  }

  /**
   * Creates one token at a time for each repository and access level. A caller's signal does not
   * abort the request, because other callers may be waiting for the token.
   */
  const mintOnce = (key: string, repository: RepositoryAddress, access: Access): Promise<Minted> => {
    const minting = mintToken(clientFor(toApiUrl(repository, deps)), repository, access)
    tokens.set(key, minting)
    minting.catch(() => tokens.get(key) === minting && tokens.delete(key))
    return minting
  }

  const credentials: Credentials = {
    async getToken({ repository, access, signal, refused }) {
      const key = `${repository.url} ${access}`
      const context = { what: `get a token with ${access} access`, target: repository.url, signal }
      const known = tokens.get(key)
      const held = known && (await untilAborted(() => known, context))
      if (held && held.token !== refused && held.expiresAt - Date.now() > FRESH_MS) return held.token
      // Another caller with the same stale token may already have requested a new one.
      const current = tokens.get(key)
      const minting = current && current !== known ? current : mintOnce(key, repository, access)
      return (await untilAborted(() => minting, context)).token
    },
    async findPermissions({ repository, signal }) {
      const call = clientFor(toApiUrl(repository, deps))
      const installation = await findInstallation(call, repository, signal).catch((error: unknown) => {
        throw toCredentialsError(error, toTarget(repository), 'read')
      })
      if (installation.suspended_at) {
        throw new CredentialsError(
          'permission_missing',
          `The App's installation on ${toTarget(repository)} is suspended. Unsuspend it on GitHub.`,
        )
      }
      const granted = Object.entries(installation.permissions)
      return Object.fromEntries(granted.filter((one): one is [string, string] => typeof one[1] === 'string'))
    },
    async findIdentity({ repository, signal }) {
      const apiUrl = toApiUrl(repository, deps)
      const known = bots.get(apiUrl)
      if (known) return known
      const token = await credentials.getToken({ repository, access: 'read', signal })
      const bot = await findBot(clientFor(apiUrl), buildApi(deps, { apiUrl, token }), { repository, signal })
      if (bot !== null) bots.set(apiUrl, bot)
      return bot
    },
    forProject: () => credentials,
    forSource: () => credentials,
  }
  return credentials
}

const toTarget = ({ host, path }: RepositoryAddress): string => `${host}/${path}`

function findInstallation(call: GitHubApi, repository: RepositoryAddress, signal: AbortSignal) {
  return call({
    what: "find the App's installation",
    target: toTarget(repository),
    signal,
    answer: INSTALLATION,
    run: (octokit, request) => octokit.rest.apps.getRepoInstallation({ ...toOwnerAndName(repository), request }),
  })
}

async function mintToken(call: GitHubApi, repository: RepositoryAddress, access: Access): Promise<Minted> {
  const { path, name } = repository
  const target = toTarget(repository)
  const signal = new AbortController().signal
  const installation = await findInstallation(call, repository, signal).catch((error: unknown) => {
    throw toCredentialsError(error, target, access)
  })
  const grant = await call({
    what: `create a token with ${access} access`,
    target,
    signal,
    answer: TOKEN,
    run: (octokit, request) =>
      octokit.rest.apps.createInstallationAccessToken({
        installation_id: installation.id,
        repositories: [name],
        permissions: GITHUB_PERMISSIONS[access],
        request,
      }),
  }).catch((error: unknown) => {
    throw toCredentialsError(error, target, access)
  })
  const granted = grant.repositories?.map((one) => one.full_name.toLowerCase())
  if (grant.repository_selection === 'all' || granted?.some((one) => one !== path.toLowerCase())) {
    throw new CredentialsError(
      'token_too_broad',
      `The host issued a token for more than ${target}, so the token was not used. Corrigenda requires a host that can limit a token to one repository.`,
    )
  }
  return { token: grant.token, expiresAt: grant.expires_at }
}

function toCredentialsError(error: unknown, target: string, access: Access): unknown {
  if (!(error instanceof GitHostError)) return error
  switch (error.code) {
    case 'not_found':
      return new CredentialsError(
        'installation_missing',
        `The GitHub App is not installed on ${target}. Install it there, or add the repository to its installation.`,
      )
    case 'unauthorized':
      return new CredentialsError(
        'app_refused',
        'The host rejected the App. Check that GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY belong to the same App and that the clock on this machine is correct. If the App was created on the operations page, it may have been deleted on the host. In that case, create it again on that page.',
      )
    case 'forbidden':
      return new CredentialsError(
        'permission_missing',
        `The App's installation on ${target} is suspended or lacks a permission. Unsuspend it and accept its permissions.`,
      )
    case 'validation':
      return new CredentialsError(
        'permission_missing',
        `The App lacks access to ${target}. Grant it ${ACCESS_NEEDS[access]}, add the repository to the installation, and update the project if the repository was renamed.`,
      )
    default:
      return error
  }
}

const PEM = /-----BEGIN ([A-Z ]*PRIVATE KEY)-----([^-]*)-----END \1-----/

/**
 * Returns the private key of a GitHub App as PKCS#8 PEM. Accepts the forms found in environment
 * variables: real line breaks, `\n` as two characters, line breaks turned into spaces, the whole
 * file in base64, surrounding quotes; PKCS#1 (GitHub's download format) or PKCS#8. Returns null for
 * anything but an unencrypted RSA key.
 */
function findAppKey(text: string): string | null {
  const unquoted = text.trim().replace(/^(['"])([\s\S]*)\1$/, '$2')
  const pem = unquoted.includes('-----BEGIN') ? unquoted : Buffer.from(unquoted, 'base64').toString('latin1')
  const [, label, body] = PEM.exec(pem.replace(/\\r/g, '').replace(/\\n/g, '\n')) ?? []
  if (label === undefined || body === undefined) return null
  const lines = body.replace(/\s+/g, '').match(/.{1,64}/g) ?? []
  const key = findKey(`-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`)
  return key?.asymmetricKeyType === 'rsa' ? key.export({ type: 'pkcs8', format: 'pem' }).toString() : null
}

function findKey(pem: string): KeyObject | null {
  try {
    return createPrivateKey(pem)
  } catch {
    return null
  }
}

/** The permissions that each access level needs, for messages. */
export const ACCESS_NEEDS: Readonly<Record<Access, string>> = {
  read: 'contents (read)',
  read_pulls: 'contents and pull requests (read)',
  publish: 'contents and pull requests (write)',
  watch: 'pull requests, checks and commit statuses (read)',
  deploy: 'actions and contents (write)',
}
