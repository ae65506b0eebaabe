import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git'
import { GitHttpError } from './git-http-error.ts'
import { type RepeatOptions, repeat } from './repeat.ts'
import { checkRepositoryUrl, resolveRedirect } from './repository-url.ts'
import {
  buildGitAgents,
  type GitAgents,
  type GitDeadlines,
  type HttpAnswer,
  type HttpQuestion,
  sendRequest,
} from './send-request.ts'
import { toStatusError } from './status-error.ts'
import {
  buildAdvertisement,
  checkListAnswer,
  type FetchWishes,
  keepAdvertised,
  keepAskedRefs,
  type RemoteFacts,
  toRemoteFacts,
  toUploadPackAnswer,
  toUploadPackRequest,
} from './upload-pack-dialect.ts'

/**
 * Facts about hosts, keyed by repository URL. The caller retains them, so that later jobs send one
 * fewer request.
 */
export type RemoteMemory = Map<string, RemoteFacts>

export interface GitHttpOptions extends RepeatOptions {
  /** Repository URL without credentials. Must use https, or http on a loopback host. */
  readonly url: string
  /**
   * Token sent with every request to the origin of `url`, and never to another origin. Null sends
   * no token.
   */
  readonly token: string | null
  /**
   * Agents that open the connections, for example through a proxy. Default: agents that all
   * requests of the process share, which connect directly.
   */
  readonly agents?: GitAgents | undefined
  readonly remotes?: RemoteMemory | undefined
  readonly deadlines?: Partial<GitDeadlines> | undefined
  /** Maximum size of a pack response in bytes. Ref lists have a separate limit. */
  readonly maxResponseBytes?: number | undefined
  /**
   * Runs immediately before each request that changes the repository. Can throw to prevent the
   * request.
   */
  readonly beforeWrite?: (() => Promise<void>) | undefined
  /** Called with the status of each response, or with null if a request got none. */
  readonly onAnswer?: ((status: number | null) => void) | undefined
}

async function reportAnswer({ onAnswer }: GitHttpOptions, question: HttpQuestion): Promise<HttpAnswer> {
  try {
    const answer = await sendRequest(question)
    onAnswer?.(answer.status)
    return answer
  } catch (error) {
    onAnswer?.(null)
    throw error
  }
}

/** The objects that one fetch requests. See {@link buildGitHttp}. */
interface FetchPlan extends FetchWishes {
  readonly wants: readonly string[]
}

interface GitHttp extends HttpClient {
  /**
   * Returns the repository URL after redirects. Sends a request to the host if the URL is not
   * cached.
   */
  findBase(service: 'git-upload-pack' | 'git-receive-pack'): Promise<string>
  /** Sends a POST request exactly once, without retries. */
  postOnce(service: string, body: Buffer): Promise<HttpAnswer>
}

const PROCESS_AGENTS = buildGitAgents()

const DEFAULT_DEADLINES: GitDeadlines = { connectMs: 10_000, idleMs: 60_000, totalMs: 300_000 }
/**
 * Maximum size of a ref list, which is parsed on the event loop. Allows about 100,000 refs from a
 * host that cannot filter them.
 */
const MAX_LIST_BYTES = 8 * 1024 * 1024
const DISCOVERY_PATH = '/info/refs?service='

/**
 * Builds the `http` client for isomorphic-git. It adds features that the library lacks: deadlines,
 * aborts, size limits, tokens restricted to one origin, redirects, retries of repeatable requests,
 * detection of in-stream errors, thin packs, filters, and protocol v2 for fetches. With a `plan`,
 * the client creates the ref advertisement from the plan, so that the fetch requests exactly those
 * objects.
 * @param prefix prefix of the refs to list, or null for all refs
 * @throws {GitHttpError} `protocol` for an invalid URL (requests can also throw this error)
 */
export function buildGitHttp(
  options: GitHttpOptions,
  plan: FetchPlan | null = null,
  prefix: string | null = null,
): GitHttp {
  const configured = checkRepositoryUrl(options.url)
  const memory: RemoteMemory = options.remotes ?? new Map()
  const key = configured.href
  const packBytes = options.maxResponseBytes ?? 256 * 1024 * 1024
  const listBytes = Math.min(packBytes, MAX_LIST_BYTES)

  const send = (url: URL, method: string, headers: Record<string, string>, body?: Uint8Array, maxBytes = packBytes) =>
    reportAnswer(options, {
      url,
      method,
      headers: {
        'user-agent': 'git/corrigenda',
        ...headers,
        ...(body ? { 'content-length': String(body.byteLength) } : {}),
        ...toAuthorization(options.token, configured, url),
      },
      ...(body ? { body } : {}),
      agents: options.agents ?? PROCESS_AGENTS,
      deadlines: { ...DEFAULT_DEADLINES, ...options.deadlines },
      maxBytes,
      signal: options.signal,
    })

  const discover = async (service: string): Promise<{ base: string; response: HttpAnswer }> => {
    let url = new URL(`${toBase(configured)}${DISCOVERY_PATH}${service}`)
    for (let hops = 0; hops <= 3; hops++) {
      const response = await send(url, 'GET', { 'git-protocol': 'version=2' }, undefined, listBytes)
      if (response.status === 200) {
        return { base: url.href.slice(0, url.href.lastIndexOf(DISCOVERY_PATH)), response }
      }
      if (response.status < 300 || response.status > 399) throw toStatusError(response)
      url = resolveRedirect(url, response, `${DISCOVERY_PATH}${service}`)
    }
    throw new GitHttpError('redirected', 'The Git host sent too many redirects. Correct the repository URL.', {
      status: 302,
    })
  }

  const discoverFacts = async (): Promise<{ facts: RemoteFacts; body: Buffer }> => {
    const { base, response } = await repeat(options, () => discover('git-upload-pack'))
    const facts = toRemoteFacts(base, response.body)
    checkListAnswer(response.body)
    memory.set(key, facts)
    return { facts, body: response.body }
  }

  const post = async (facts: RemoteFacts, body: Buffer, v2: boolean, maxBytes?: number): Promise<HttpAnswer> => {
    const response = await send(new URL(`${facts.base}/git-upload-pack`), 'POST', uploadPackHeaders(v2), body, maxBytes)
    if (response.status !== 200) throw toStatusError(response)
    return response
  }

  const listRefs = async (body: Buffer): Promise<Buffer> => {
    const known = memory.get(key)
    const requestRefs = (facts: RemoteFacts) =>
      repeat(options, async () => {
        const response = await post(facts, body, true, listBytes)
        checkListAnswer(response.body)
        return keepAskedRefs(body, response.body)
      })
    const facts = known ?? (await discoverFacts()).facts
    try {
      return await requestRefs(facts)
    } catch (error) {
      // The cached facts may be outdated, for example because the repository was renamed, so they
      // are requested once more.
      if (!isOutdated(error)) throw error
      memory.delete(key)
      return requestRefs((await discoverFacts()).facts)
    }
  }

  const fetchPack = async (body: Buffer, wishes: FetchWishes): Promise<Buffer[]> => {
    const facts = memory.get(key) ?? (await discoverFacts()).facts
    return repeat(options, async () => {
      const response = await post(facts, toUploadPackRequest(body, facts, wishes), facts.protocol === 2)
      return toUploadPackAnswer(response.body, facts.protocol)
    })
  }

  const buildDiscoveryBody = async (v2: boolean): Promise<Buffer> => {
    const known = memory.get(key)
    if (v2) {
      if (known?.protocol === 2) return known.advertisement
      const { facts, body } = await discoverFacts()
      return facts.protocol === 1 && prefix !== null ? keepAdvertised(body, prefix) : body
    }
    const facts = known ?? (await discoverFacts()).facts
    if (!plan) throw new GitHttpError('protocol', 'A fetch requires a list of the objects to request.')
    return buildAdvertisement(plan.wants, facts)
  }

  return {
    async request(request: GitHttpRequest): Promise<GitHttpResponse> {
      const v2 = request.headers?.['Git-Protocol'] === 'version=2'
      if (request.method !== 'POST') {
        const type = 'application/x-git-upload-pack-advertisement'
        return toResponse(request, [await buildDiscoveryBody(v2)], type)
      }
      const body = await collect(request.body)
      const chunks = v2 ? [await listRefs(body)] : await fetchPack(body, plan ?? { thinPack: false, blobLimit: null })
      return toResponse(request, chunks, 'application/x-git-upload-pack-result')
    },

    async findBase(service) {
      const known = memory.get(key)
      if (known) return known.base
      if (service === 'git-upload-pack') return (await discoverFacts()).facts.base
      return (await repeat(options, () => discover(service))).base
    },

    async postOnce(service, body) {
      const base = memory.get(key)?.base ?? toBase(configured)
      await options.beforeWrite?.()
      const response = await send(
        new URL(`${base}/${service}`),
        'POST',
        { 'content-type': `application/x-${service}-request`, accept: `application/x-${service}-result` },
        body,
      )
      if (response.status !== 200) {
        const error = toStatusError(response)
        if (error.code === 'redirected') memory.delete(key)
        throw error
      }
      return response
    },
  }
}

/**
 * Returns the authorization header only for the origin (scheme, host and port) that the token is
 * configured for. Redirects cannot change that origin.
 */
export function toAuthorization(token: string | null, configured: URL, target: URL): Record<string, string> {
  if (token === null || target.origin !== configured.origin) return {}
  return { authorization: `Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}` }
}

function uploadPackHeaders(v2: boolean): Record<string, string> {
  return {
    'content-type': 'application/x-git-upload-pack-request',
    accept: 'application/x-git-upload-pack-result',
    ...(v2 ? { 'git-protocol': 'version=2' } : {}),
  }
}

function isOutdated(error: unknown): boolean {
  return error instanceof GitHttpError && ['redirected', 'not_found', 'protocol'].includes(error.code)
}

function toBase(url: URL): string {
  return url.href.replace(/(?<!\/)\/+$/, '')
}

async function collect(body: GitHttpRequest['body'] | Uint8Array[]): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  if (body) for await (const chunk of body as AsyncIterable<Uint8Array>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function toResponse(request: GitHttpRequest, chunks: Buffer[], type: string): GitHttpResponse {
  const iterate = async function* () {
    yield* chunks
  }
  return {
    url: request.url,
    method: request.method ?? 'GET',
    headers: { 'content-type': type },
    body: iterate(),
    statusCode: 200,
    statusMessage: 'OK',
  }
}
