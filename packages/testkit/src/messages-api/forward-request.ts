import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError, isObject, type JsonObject } from '@corrigenda/demo/messages-api'
import type { MessagesApi } from './start-messages-api.ts'

/** The parts of a platform request that are forwarded to the Messages API as one request. */
interface Forwarded {
  body: JsonObject
  model: string
  stream: boolean
  signal: AbortSignal
}

/**
 * Forwards a platform request to the strict Messages API. Moves the version from the body to the
 * header.
 * @throws ApiError if the server rejects the request
 */
export async function forwardRequest(api: MessagesApi, { body, model, stream, signal }: Forwarded): Promise<Response> {
  const { anthropic_version: version, ...rest } = body
  if (typeof version !== 'string') throw new ApiError(400, 'anthropic_version: Field required')
  if ('model' in rest) throw new ApiError(400, 'model: Extra inputs are not permitted')
  const response = await fetch(`${api.url}/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api.key}`, 'anthropic-version': version, 'content-type': 'application/json' },
    body: JSON.stringify({ ...rest, model: model.replace(/^.*anthropic\./, ''), stream }),
    signal,
  })
  if (response.status === 200) return response
  const said: unknown = await response.json()
  const error = isObject(said) && isObject(said.error) ? said.error : {}
  throw new ApiError(response.status, String(error.message ?? 'rejected'))
}

/** Returns a signal that aborts when the client disconnects. */
export function whenGone(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  return gone.signal
}

/**
 * Reads a request body as text and as JSON.
 * @throws ApiError 400 if it is not a JSON object
 */
export async function readRaw(incoming: IncomingMessage): Promise<{ raw: string; body: JsonObject }> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk)
  const raw = Buffer.concat(chunks).toString('utf8')
  try {
    const body: unknown = JSON.parse(raw)
    if (isObject(body)) return { raw, body }
  } catch {
    // Invalid JSON is rejected below, like any body that is not an object.
  }
  throw new ApiError(400, 'Malformed input request')
}
