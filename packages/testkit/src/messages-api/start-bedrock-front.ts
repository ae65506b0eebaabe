import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ApiError } from '@corrigenda/demo/messages-api'
import { forwardRequest, readRaw, whenGone } from './forward-request.ts'
import type { MessagesApi } from './start-messages-api.ts'
import { toEventFrame } from './to-event-frame.ts'
import { type SigningKeys, verifySignature } from './verify-signature.ts'

export interface BedrockFront {
  url: string
  /** Received requests with their paths and authentication methods. */
  requests: readonly { path: string; credential: 'signature' | 'bearer' | 'none' }[]
  close(): Promise<void>
}

interface BedrockFrontOptions {
  api: MessagesApi
  keys: Omit<SigningKeys, 'service'>
  /** A Bedrock API key that is accepted instead of a signature. */
  apiKey?: string
  /** Ends the first stream with this exception after one event. */
  exception?: { type: string; message: string }
}

const PATH = /^\/model\/([^/]+)\/invoke-with-response-stream$/

/**
 * Starts a server that uses Amazon Bedrock's wire format in front of a strict Messages API. It
 * verifies signatures and responds with AWS event streams.
 */
export async function startBedrockFront(options: BedrockFrontOptions): Promise<BedrockFront> {
  const requests: { path: string; credential: 'signature' | 'bearer' | 'none' }[] = []
  const exceptions = options.exception ? [options.exception] : []
  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const path = incoming.url ?? ''
    const { authorization = '' } = incoming.headers
    const credential = authorization.startsWith('Bearer ') ? 'bearer' : authorization ? 'signature' : 'none'
    requests.push({ path, credential })
    const { raw, body } = await readRaw(incoming)
    if (credential !== 'bearer') {
      const request = { method: incoming.method ?? '', path, headers: incoming.headers, body: raw }
      verifySignature(request, { ...options.keys, service: 'bedrock' })
    } else if (authorization !== `Bearer ${options.apiKey}`) throw new ApiError(403, 'Invalid API Key format')
    const model = PATH.exec(path)?.[1]
    if (incoming.method !== 'POST' || model === undefined) throw new ApiError(404, 'Unknown operation')
    if ('stream' in body) throw new ApiError(400, 'stream: Extra inputs are not permitted')
    const signal = whenGone(response)
    const answer = await forwardRequest(options.api, { body, model: decodeURIComponent(model), stream: true, signal })
    response.writeHead(200, {
      'content-type': 'application/vnd.amazon.eventstream',
      'x-amzn-requestid': answer.headers.get('request-id') ?? '',
    })
    await sendFrames(answer, response, exceptions.shift() ?? null)
  }
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => sendError(response, error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function sendFrames(
  answer: Response,
  response: ServerResponse,
  exception: BedrockFrontOptions['exception'] | null,
): Promise<void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of answer.body ?? []) {
    const events = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n\n')
    rest = events.pop() ?? ''
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event)?.[1]
      if (data === undefined) continue
      const payload = JSON.stringify({ bytes: Buffer.from(data).toString('base64') })
      const headers = { ':event-type': 'chunk', ':content-type': 'application/json', ':message-type': 'event' }
      response.write(toEventFrame(headers, payload))
      if (!exception) continue
      const { type, message } = exception
      const failed = { ':exception-type': type, ':content-type': 'application/json', ':message-type': 'exception' }
      response.end(toEventFrame(failed, JSON.stringify({ message })))
      return
    }
  }
  response.end()
}

const EXCEPTIONS: Readonly<Record<number, string>> = {
  400: 'ValidationException',
  403: 'AccessDeniedException',
  404: 'ResourceNotFoundException',
  429: 'ThrottlingException',
}

function sendError(response: ServerResponse, thrown: unknown): void {
  const error = thrown instanceof ApiError ? thrown : new ApiError(500, String(thrown))
  if (response.headersSent) return void response.destroy()
  const type = EXCEPTIONS[error.status] ?? 'InternalServerException'
  response.writeHead(error.status, { 'content-type': 'application/json', 'x-amzn-errortype': type })
  response.end(JSON.stringify({ message: error.message }))
}
