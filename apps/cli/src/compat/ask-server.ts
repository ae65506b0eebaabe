import type { z } from 'zod'

/** The server that is looked at. */
export interface CompatTarget {
  /** Base address without a final slash. */
  readonly url: string
  readonly apiKey: string
  readonly projectId: string
}

export interface Answer {
  readonly status: number
  readonly type: string
  readonly body: unknown
}

const LIMIT_MS = 30_000

/** @param options.key another key than the target's; null: none */
export async function askServer(
  target: CompatTarget,
  options: { method: 'GET' | 'POST'; path: string; body?: unknown; key?: string | null },
): Promise<Answer> {
  const { method, path, body, key = target.apiKey } = options
  const response = await fetch(`${target.url}${path}`, {
    method,
    headers: {
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(LIMIT_MS),
  })
  const text = await response.text()
  return { status: response.status, type: response.headers.get('content-type') ?? '', body: toJson(text) }
}

/** What does not fit the contract, in words that name the place. */
export class Mismatch extends Error {}

/** @throws Mismatch unless the answer has this status, is JSON and fits the schema */
export function expectAnswer<T>(answer: Answer, status: number, schema: z.ZodType<T>): T {
  if (answer.status !== status) throw new Mismatch(`answered ${answer.status}, and not ${status}: ${show(answer.body)}`)
  if (!/^application\/json\b/i.test(answer.type)) throw new Mismatch(`answered as "${answer.type}", and not as JSON`)
  const parsed = schema.safeParse(answer.body)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Mismatch(`"${issue?.path.join('.')}" does not fit: ${issue?.message}, in ${show(answer.body)}`)
}

const show = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 300)

/** Undefined for what is no JSON. */
function toJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
