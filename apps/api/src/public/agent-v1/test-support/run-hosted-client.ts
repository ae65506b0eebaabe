/**
 * A client of version 1 that was written from the public documentation of the hosted API alone: it
 * posts messages, reads the response to its end with a reader, and understands UI message chunks of
 * the AI SDK. It shares no code with the service.
 */
interface HostedClient {
  readonly origin: string
  readonly projectId: string
  readonly apiKey: string
}

export interface HostedRun {
  readonly status: number
  readonly headers: Headers
  readonly sessionId: string
  readonly branch: string
  /** The types of all chunks, in order. */
  readonly types: readonly string[]
  /** The assistant's texts, in order. */
  readonly texts: readonly string[]
  readonly errors: readonly string[]
  /** The payloads of data chunks by type. */
  readonly data: Readonly<Record<string, readonly unknown[]>>
  /** True if the stream ended with `[DONE]`. */
  readonly isDone: boolean
}

interface Chunk {
  readonly type: string
  readonly id?: string
  readonly delta?: string
  readonly errorText?: string
  readonly data?: unknown
}

/** @param onStart called with the session id once the headers have arrived */
export async function runHostedClient(
  { origin, projectId, apiKey }: HostedClient,
  body: unknown,
  onStart: (sessionId: string) => void = () => {},
): Promise<HostedRun> {
  const response = await fetch(`${origin}/v1/agent/${projectId}/job`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok || !response.body) throw new Error(`API request failed: ${response.status} ${await response.text()}`)
  const sessionId = response.headers.get('X-Session-Id') ?? ''
  onStart(sessionId)
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  const texts = new Map<string, string>()
  const types: string[] = []
  const errors: string[] = []
  const data: Record<string, unknown[]> = {}
  let isDone = false
  let buffer = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    buffer += decoder.decode(value, { stream: true })
    const lines = buffer.split('\n')
    buffer = lines.pop() ?? ''
    for (const line of lines) {
      if (!line.startsWith('data: ')) continue
      const payload = line.slice('data: '.length)
      if (isDone) throw new Error(`a chunk after the end: ${payload}`)
      isDone = payload === '[DONE]'
      if (isDone) continue
      const chunk = JSON.parse(payload) as Chunk
      types.push(chunk.type)
      if (chunk.type === 'text-start') texts.set(String(chunk.id), '')
      if (chunk.type === 'text-delta') texts.set(String(chunk.id), `${texts.get(String(chunk.id))}${chunk.delta}`)
      if (chunk.type === 'error') errors.push(String(chunk.errorText))
      if (chunk.type.startsWith('data-')) data[chunk.type] = [...(data[chunk.type] ?? []), chunk.data]
    }
  }
  if (buffer !== '') throw new Error(`an incomplete line: ${buffer}`)
  const branch = response.headers.get('X-Branch-Name') ?? ''
  const { status, headers } = response
  return { status, headers, sessionId, branch, types, texts: [...texts.values()], errors, data, isDone }
}
