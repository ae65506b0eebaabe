import type { RepositoryAddress } from '@corrigenda/contracts'
import type { z } from 'zod'
import type { Access } from '../credentials.ts'
import { withToken } from '../git-access.ts'
import type { OpenGitHostInput } from '../git-host.ts'
import { GitHostError } from '../git-host-error.ts'
import { pause, untilAborted } from '../pause.ts'
import { buildSameOriginFetch } from '../same-origin-fetch.ts'
import { toRestError } from './to-rest-error.ts'

/** Settings of clients of all hosts. Times are in milliseconds. */
export interface RestSettings {
  /** The product's version, for the User-Agent. */
  readonly version: string
  readonly fetch?: typeof fetch
  /** Timeout per attempt; default 30 s. */
  readonly timeoutMs?: number
  /** Base delay for retries of reads; default 1 s. The delays are 1, 4 and 9 times this value. */
  readonly retryBaseMs?: number
}

/** How one kind of host is called. */
export interface RestDialect {
  readonly label: string
  /** Path of the API below the base URL, such as `/api/v4`. */
  readonly apiPath: string
  toAuthorization(token: string): string
  /** The permissions that an access level needs, for messages. */
  toNeeds(access: Access): string
  /**
   * Name of the query parameter for the size of a page, and its maximum. If administrators can lower
   * the maximum, only an empty page ends a list.
   */
  readonly page: { readonly name: string; readonly size: number; readonly isFixed: boolean }
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>

export interface RestCall<T> {
  /** Completes "could not …" (for example "open the pull request"). */
  readonly what: string
  /** The part of the repository that the request names, such as "the branch main". */
  readonly subject?: string
  /** The permissions that the request needs. */
  readonly needs?: string
  /** Default: GET. */
  readonly method?: 'POST' | 'PUT' | 'PATCH'
  /** Path below the API, encoded. */
  readonly path: string
  readonly query?: Query
  readonly body?: Readonly<Record<string, unknown>>
  readonly opensPullRequest?: boolean
  /** True for a write that may be sent again, because it sets a value. */
  readonly isIdempotent?: boolean
  /** The expected response. Only the parts that the schema declares are returned. */
  readonly schema: z.ZodType<T>
  readonly signal?: AbortSignal | undefined
}

/** Client for one repository. Calls behave as {@link GitHost} describes. */
export interface RestClient {
  readonly repository: RepositoryAddress
  call<T>(call: RestCall<T>): Promise<T>
  /**
   * Reads a list until `isEnough` returns true or the list ends.
   * @param pages maximum number of pages
   */
  list<T>(call: RestCall<T[]>, options: { pages: number; isEnough?: (all: readonly T[]) => boolean }): Promise<T[]>
  close(): void
}

const MAX_RETRIES = 3
/**
 * Maximum total time that a call waits for rate limits. It is short because other work could use
 * the slot. The caller schedules longer waits.
 */
const MAX_WAIT_MS = 30_000
const MAX_WAITS = 5
const MIN_WAIT_MS = 250

/**
 * Opens a client for one repository.
 * @throws CredentialsError when no token is available
 */
export async function openRestClient(
  settings: RestSettings,
  dialect: RestDialect,
  { credentials, guard, ...input }: OpenGitHostInput,
): Promise<RestClient> {
  const { repository, access } = input
  // Reports a missing credential before the work starts.
  await credentials.getToken(input)
  const closing = new AbortController()
  const client: RestClient = {
    repository,
    call(call) {
      const signal = AbortSignal.any([input.signal, closing.signal, ...(call.signal ? [call.signal] : [])])
      return withToken(credentials, { ...input, signal }, (token) =>
        sendWithWaits(
          { settings, dialect, repository, token, guard },
          { needs: dialect.toNeeds(access), ...call, signal },
        ),
      )
    },
    async list(call, { pages, isEnough }) {
      const { name, size, isFixed } = dialect.page
      const all: Awaited<ReturnType<typeof call.schema.parse>> = []
      for (let page = 1; page <= pages; page += 1) {
        const found = await client.call({ ...call, query: { ...call.query, [name]: size, page } })
        all.push(...found)
        if (found.length < (isFixed ? size : 1) || isEnough?.(all)) break
      }
      return all
    },
    close: () => closing.abort(),
  }
  return client
}

interface Sender {
  readonly settings: RestSettings
  readonly dialect: RestDialect
  readonly repository: RepositoryAddress
  readonly token: string
  readonly guard: OpenGitHostInput['guard']
}

type Call<T> = RestCall<T> & { readonly signal: AbortSignal }

/** Waits for rate limits and, for calls that can be repeated, for outages. */
async function sendWithWaits<T>(sender: Sender, call: Call<T>): Promise<T> {
  const context = { what: call.what, target: toTarget(sender.repository), signal: call.signal }
  const isRepeatable = call.method === undefined || call.isIdempotent === true
  let waited = 0
  let waits = 0
  for (let retries = 0; ; ) {
    try {
      return await untilAborted(() => send(sender, call), context)
    } catch (error) {
      if (!(error instanceof GitHostError)) throw error
      if (error.code === 'rate_limited') {
        const wait = Math.max(error.retryAfterMs ?? 0, MIN_WAIT_MS)
        waits += 1
        waited += wait
        if (waits > MAX_WAITS || waited > MAX_WAIT_MS) throw error
        await pause(wait, context)
      } else {
        retries += 1
        if (!isRepeatable || !isOutage(error) || retries > MAX_RETRIES) throw error
        await pause((sender.settings.retryBaseMs ?? 1000) * retries ** 2, context)
      }
    }
  }
}

/** A page of a proxy is final, like every other answer with a status below 500. */
function isOutage({ isOutcomeUnknown, status }: GitHostError): boolean {
  return isOutcomeUnknown && (status === null || status === 408 || status >= 500)
}

async function send<T>({ settings, dialect, repository, token, guard }: Sender, call: Call<T>): Promise<T> {
  const { method = 'GET', path, query = {}, body, signal } = call
  const url = new URL(`${repository.base}${dialect.apiPath}${path}`)
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  const context = { ...call, target: toTarget(repository), label: dialect.label }
  const request = buildSameOriginFetch({ fetch: settings.fetch ?? fetch, timeoutMs: settings.timeoutMs ?? 30_000 })
  const post = () =>
    request(url, {
      method,
      signal,
      headers: {
        authorization: dialect.toAuthorization(token),
        accept: 'application/json',
        'user-agent': `corrigenda/${settings.version}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      throw toRestError({ error }, context)
    })
  const response =
    method === 'GET' || guard === undefined
      ? await post()
      : await guard({ opensPullRequest: call.opensPullRequest ?? false }, post)
  const text = await response.text()
  if (!response.ok) throw toRestError({ response, text }, context)
  const parsed = call.schema.safeParse(response.status === 204 ? undefined : toData(response, text))
  if (parsed.success) return parsed.data
  throw new GitHostError(
    'server_error',
    `The Git host returned an unexpected response (${context.what}, ${context.target}). Check that GIT_HOSTS declares the kind and the address of the host.`,
    { status: response.status },
  )
}

const toTarget = ({ host, path }: RepositoryAddress): string => `${host}/${path}`

function toData(response: Response, text: string): unknown {
  if (!response.headers.get('content-type')?.includes('json')) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
