import type { z } from 'zod'

/** The server under test. */
export interface CompatTarget {
  /** Base URL without a trailing slash. */
  readonly url: string
  readonly apiKey: string
  readonly projectId: string
}

export interface Answer {
  readonly status: number
  readonly type: string
  readonly headers: Headers
  readonly text: string
  /** The parsed text; undefined if it is not JSON. */
  readonly body: unknown
}

const LIMIT_MS = 30_000

/**
 * Sends one request to the server.
 * @param options.key the key to send instead of the target's; null sends no key
 * @param options.limitMs time limit for the whole response
 */
export async function askServer(
  target: CompatTarget,
  options: { method: 'GET' | 'POST'; path: string; body?: unknown; key?: string | null; limitMs?: number },
): Promise<Answer> {
  const { method, path, body, key = target.apiKey, limitMs = LIMIT_MS } = options
  const response = await fetch(`${target.url}${path}`, {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(limitMs),
  })
  const text = await response.text()
  const { status, headers } = response
  return { status, type: headers.get('content-type') ?? '', headers, text, body: toJson(text) }
}

/** A deviation from the contract. The message names the field or the status. */
export class Mismatch extends Error {}

/**
 * Checks a response and returns its body.
 * @throws Mismatch unless the response has this status, is JSON and matches the schema
 */
export function expectAnswer<T>(answer: Answer, status: number, schema: z.ZodType<T>): T {
  if (answer.status !== status)
    throw new Mismatch(`returned status ${answer.status} instead of ${status}: ${show(answer.body)}`)
  if (!/^application\/json\b/i.test(answer.type)) throw new Mismatch(`returned "${answer.type}" instead of JSON`)
  const parsed = schema.safeParse(answer.body)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Mismatch(`"${issue?.path.join('.')}" does not match the schema: ${issue?.message}, in ${show(answer.body)}`)
}

const show = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 300)

/** Returns undefined if the text is not JSON. */
function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
