import type { GitHttpRequest, GitHttpResponse, HttpClient } from 'isomorphic-git'
import { GitHttpError } from './git-http-error.ts'
import { checkRepositoryUrl, resolveRedirect } from './repository-url.ts'
import { buildGitAgents, type GitAgents, type GitDeadlines, type HttpAnswer, sendRequest } from './send-request.ts'
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

/** What hosts said about themselves, by repository URL. Kept by the caller so that a later job needs one request less. */
export type RemoteMemory = Map<string, RemoteFacts>

export interface GitHttpOptions {
  /** The repository, without credentials: https, or http on a loopback host. */
  readonly url: string
  /** Sent with every request to the origin of `url` and to no other; null for none. */
  readonly token: string | null
  readonly signal?: AbortSignal | undefined
  readonly agents?: GitAgents | undefined
  readonly remotes?: RemoteMemory | undefined
  readonly deadlines?: Partial<GitDeadlines> | undefined
  /** Bytes of one answer that is a pack. Lists of refs have a cap of their own. */
  readonly maxResponseBytes?: number | undefined
  /** Requests that may be repeated are sent this often at most. */
  readonly attempts?: number | undefined
  /** A `Retry-After` above this many milliseconds is handed to the caller instead of waited for. */
  readonly maxRetryWaitMs?: number | undefined
  /** First pause between attempts, doubled each time. */
  readonly retryPauseMs?: number | undefined
  /** Runs directly before each request that changes the repository; throws to keep it from being sent. */
  readonly beforeWrite?: (() => Promise<void>) | undefined
}

/** What one fetch asks for; see {@link buildGitHttp}. */
export interface FetchPlan extends FetchWishes {
  readonly wants: readonly string[]
}

export interface GitHttp extends HttpClient {
  /** The repository's address after redirects, asking the host when it is not known yet. */
  findBase(service: 'git-upload-pack' | 'git-receive-pack'): Promise<string>
  /** One POST that is sent exactly once, whatever happens to it. */
  postOnce(service: string, body: Buffer): Promise<HttpAnswer>
}

/** One pair of agents for the process: connections are worth keeping between jobs. */
const processAgents = buildGitAgents()
const defaultDeadlines: GitDeadlines = { connectMs: 10_000, idleMs: 60_000, totalMs: 300_000 }
/** A list of refs is read on the event loop: this many bytes are some 100,000 refs of a host that cannot filter them. */
const maxListBytes = 8 * 1024 * 1024
const discoveryPath = '/info/refs?service='

/**
 * The `http` client for isomorphic-git. It owns what the library leaves open: deadlines, abort, size caps, where the token may go,
 * redirects, repetition of requests that may be repeated, errors inside streams, thin packs, filters and protocol v2 for fetches.
 * With a `plan` the ref advertisement of a fetch is answered from the plan, so that exactly those objects are asked for.
 * @param prefix of the refs that are of interest when refs are listed; null for all
 * @throws {GitHttpError} from every request
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
  const listBytes = Math.min(packBytes, maxListBytes)

  const send = (url: URL, method: string, headers: Record<string, string>, body?: Uint8Array, maxBytes = packBytes) =>
    sendRequest({
      url,
      method,
      headers: {
        'user-agent': 'git/corrigenda',
        ...headers,
        ...(body ? { 'content-length': String(body.byteLength) } : {}),
        ...toAuthorization(options.token, configured, url),
      },
      ...(body ? { body } : {}),
      agents: options.agents ?? processAgents,
      deadlines: { ...defaultDeadlines, ...options.deadlines },
      maxBytes,
      signal: options.signal,
    })

  const discover = async (service: string): Promise<{ base: string; answer: HttpAnswer }> => {
    let url = new URL(`${toBase(configured)}${discoveryPath}${service}`)
    for (let hops = 0; hops <= 3; hops++) {
      const answer = await send(url, 'GET', { 'git-protocol': 'version=2' }, undefined, listBytes)
      if (answer.status === 200) {
        return { base: url.href.slice(0, url.href.lastIndexOf(discoveryPath)), answer }
      }
      if (answer.status < 300 || answer.status > 399) throw toStatusError(answer)
      url = resolveRedirect(url, answer, `${discoveryPath}${service}`)
    }
    throw new GitHttpError('redirected', 'The Git host redirects in circles.', { status: 302 })
  }

  const learn = async (): Promise<{ facts: RemoteFacts; body: Buffer }> => {
    const { base, answer } = await repeat(options, () => discover('git-upload-pack'))
    const facts = toRemoteFacts(base, answer.body)
    checkListAnswer(answer.body)
    memory.set(key, facts)
    return { facts, body: answer.body }
  }

  const post = async (facts: RemoteFacts, body: Buffer, v2: boolean, maxBytes?: number): Promise<HttpAnswer> => {
    const answer = await send(new URL(`${facts.base}/git-upload-pack`), 'POST', uploadPackHeaders(v2), body, maxBytes)
    if (answer.status !== 200) throw toStatusError(answer)
    return answer
  }

  const listRefs = async (body: Buffer): Promise<Buffer> => {
    const known = memory.get(key)
    const ask = (facts: RemoteFacts) =>
      repeat(options, async () => {
        const answer = await post(facts, body, true, listBytes)
        checkListAnswer(answer.body)
        return keepAskedRefs(body, answer.body)
      })
    const facts = known ?? (await learn()).facts
    try {
      return await ask(facts)
    } catch (error) {
      // What we remember may be outdated (a renamed repository); ask anew once.
      if (!isOutdated(error)) throw error
      memory.delete(key)
      return ask((await learn()).facts)
    }
  }

  const fetchPack = async (body: Buffer, wishes: FetchWishes): Promise<Buffer[]> => {
    const facts = memory.get(key) ?? (await learn()).facts
    return repeat(options, async () => {
      const answer = await post(facts, toUploadPackRequest(body, facts, wishes), facts.protocol === 2)
      return toUploadPackAnswer(answer.body, facts.protocol)
    })
  }

  const answerDiscovery = async (v2: boolean): Promise<Buffer> => {
    const known = memory.get(key)
    if (v2) {
      if (known?.protocol === 2) return known.advertisement
      const { facts, body } = await learn()
      return facts.protocol === 1 && prefix !== null ? keepAdvertised(body, prefix) : body
    }
    const facts = known ?? (await learn()).facts
    if (!plan) throw new GitHttpError('protocol', 'A fetch needs a plan of the objects it wants.')
    return buildAdvertisement(plan.wants, facts)
  }

  return {
    async request(request: GitHttpRequest): Promise<GitHttpResponse> {
      const v2 = request.headers?.['Git-Protocol'] === 'version=2'
      if (request.method !== 'POST') {
        const type = 'application/x-git-upload-pack-advertisement'
        return toResponse(request, [await answerDiscovery(v2)], type)
      }
      const body = await collect(request.body)
      const answer = v2 ? [await listRefs(body)] : await fetchPack(body, plan ?? { thinPack: false, blobLimit: null })
      return toResponse(request, answer, 'application/x-git-upload-pack-result')
    },

    async findBase(service) {
      const known = memory.get(key)
      if (known) return known.base
      if (service === 'git-upload-pack') return (await learn()).facts.base
      return (await repeat(options, () => discover(service))).base
    },

    async postOnce(service, body) {
      const base = memory.get(key)?.base ?? toBase(configured)
      await options.beforeWrite?.()
      const answer = await send(
        new URL(`${base}/${service}`),
        'POST',
        { 'content-type': `application/x-${service}-request`, accept: `application/x-${service}-result` },
        body,
      )
      if (answer.status !== 200) {
        const error = toStatusError(answer)
        if (error.code === 'redirected') memory.delete(key)
        throw error
      }
      return answer
    },
  }
}

/** Repeat what may be repeated: cut connections, 429 and 5xx, within the bounds of the options. */
async function repeat<T>(options: GitHttpOptions, ask: () => Promise<T>): Promise<T> {
  const attempts = options.attempts ?? 3
  const maxWait = options.maxRetryWaitMs ?? 10_000
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof GitHttpError) || attempt >= attempts) throw error
      const passing =
        error.code === 'network' || error.code === 'rate_limited' || (error.code === 'server_error' && error.status)
      if (!passing) throw error
      const wait = error.retryAfterMs ?? (options.retryPauseMs ?? 250) * 2 ** (attempt - 1)
      if (wait > maxWait) throw error
      await pause(wait, options.signal)
    }
  }
}

/** Wait, or reject with `aborted` as soon as the signal says so. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer)
      reject(new GitHttpError('aborted', 'The request to the Git host was stopped.'))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort)
      resolve()
    }, ms)
    if (signal?.aborted) onAbort()
    else signal?.addEventListener('abort', onAbort, { once: true })
  })
}

/** The token goes to the one origin it was given for (scheme, host and port), whatever a host says. */
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
  return url.href.replace(/\/+$/, '')
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
