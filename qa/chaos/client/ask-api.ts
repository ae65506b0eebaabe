import type { Project } from '../stack/create-projects.ts'
import type { Stack } from '../stack/open-stack.ts'

interface Answer {
  readonly status: number
  /** Value of `x-error-code`. */
  readonly code: string | null
  readonly body: unknown
}

/** Statuses that a client receives while the API process or its database is down. */
const PASSING = new Set([502, 503])
const PATIENCE_MS = 300_000

/**
 * Sends one request. Returns null if the connection breaks or no response arrives within 20 s. Adds
 * every error response to the history.
 */
export async function askApi(
  { url, history }: Pick<Stack, 'url' | 'history'>,
  project: Project,
  request: { method: 'GET' | 'POST'; route: string; body?: unknown; idempotencyKey?: string },
): Promise<Answer | null> {
  const headers: Record<string, string> = { authorization: `Bearer ${project.key}` }
  if (request.body !== undefined) headers['content-type'] = 'application/json'
  if (request.idempotencyKey !== undefined) headers['idempotency-key'] = request.idempotencyKey
  try {
    const response = await fetch(`${url}/v2/agent/${project.id}${request.route}`, {
      method: request.method,
      headers,
      signal: AbortSignal.timeout(20_000),
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
    })
    const text = await response.text()
    const code = response.headers.get('x-error-code')
    if (response.status >= 400) history.add({ kind: 'answer', method: request.method, status: response.status, code })
    return { status: response.status, code, body: text === '' ? null : JSON.parse(text) }
  } catch {
    return null
  }
}

/**
 * Sends a request and retries it, as a client should, until the response is final.
 * @throws Error after five minutes
 */
export async function askUntilAnswered(
  stack: Pick<Stack, 'url' | 'history'>,
  project: Project,
  request: Parameters<typeof askApi>[2],
): Promise<Answer & { tries: number }> {
  const deadline = Date.now() + PATIENCE_MS
  for (let tries = 1; ; tries += 1) {
    const response = await askApi(stack, project, request)
    const again = response === null || PASSING.has(response.status) || response.code === 'idempotency_in_flight'
    if (response !== null && !again) return { ...response, tries }
    if (Date.now() > deadline) throw new Error(`The API did not respond to ${request.method} for five minutes.`)
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
}
