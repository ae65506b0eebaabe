/**
 * Error for an API redirect that is not followed. The message states the reason and the remedy.
 * Named AbortError because the client library neither wraps nor retries errors with that name.
 */
export class RedirectRefused extends Error {
  override readonly name = 'AbortError'
}

/** Error for an attempt whose headers and body did not arrive before the deadline. */
export class ResponseTimeout extends Error {
  override readonly name = 'ResponseTimeout'
  constructor(readonly afterMs: number) {
    super(`no complete response within ${afterMs} ms`)
  }
}

const REDIRECTS = [301, 302, 303, 307, 308]
const MAX_REDIRECTS = 3
const MAX_BYTES = 32 << 20
const BODILESS = new Set([101, 204, 205, 304])

/**
 * Builds a `fetch` for a client that sends a credential. Follows redirects, such as those for
 * renamed repositories, manually and only within the same origin. Each attempt has a deadline.
 * Reads the body here, because the client library treats a truncated body as an empty one.
 */
export function buildSameOriginFetch(deps: { fetch: typeof fetch; timeoutMs: number }): typeof fetch {
  return async (input, init = {}) => {
    const timeout = AbortSignal.timeout(deps.timeoutMs)
    const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout
    try {
      return await followRedirects(deps.fetch, new URL(String(input)), { ...init, signal, redirect: 'manual' })
    } catch (error) {
      if (timeout.aborted && !init.signal?.aborted) throw new ResponseTimeout(deps.timeoutMs)
      throw error
    }
  }
}

async function followRedirects(send: typeof fetch, start: URL, init: RequestInit): Promise<Response> {
  let url = start
  for (let hops = 0; ; hops += 1) {
    const response = await send(url, init)
    if (!REDIRECTS.includes(response.status)) return readWhole(response)
    await response.body?.cancel()
    const location = response.headers.get('location')
    const next = location !== null && URL.canParse(location, url.href) ? new URL(location, url) : null
    if (next === null || next.origin !== url.origin) {
      throw new RedirectRefused(
        `the API redirects to ${next?.origin ?? 'an invalid URL'}, and credentials are only sent to the configured origin. Set GITHUB_API_URL or GIT_HOSTS to the final URL.`,
      )
    }
    // With status 301, 302 or 303, a write would be resent as a read. Only 307 and 308 preserve the
    // method.
    if (response.status < 307 && (init.method ?? 'GET') !== 'GET') {
      throw new RedirectRefused(
        'the repository has moved on the host, which does not accept writes at its old URL. Update the repository URL in the project.',
      )
    }
    if (hops >= MAX_REDIRECTS) {
      throw new RedirectRefused(
        'the API redirects too often. Check GITHUB_API_URL or GIT_HOSTS, and the repository URL in the project.',
      )
    }
    url = next
  }
}

async function readWhole(response: Response): Promise<Response> {
  const chunks: Uint8Array[] = []
  let total = 0
  for await (const chunk of response.body ?? []) {
    total += chunk.byteLength
    if (total > MAX_BYTES) throw new TypeError(`the response is larger than ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  const { status, statusText, headers } = response
  return new Response(BODILESS.has(status) ? null : Buffer.concat(chunks), { status, statusText, headers })
}
