import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ApiError } from '@corrigenda/demo/messages-api'
import { forwardRequest, readRaw, whenGone } from './forward-request.ts'
import type { MessagesApi } from './start-messages-api.ts'

export interface VertexFront {
  url: string
  /** `host:port` of the metadata server, which issues the tokens that the API accepts. */
  metadataHost: string
  /** Requested paths. */
  requests: readonly string[]
  close(): Promise<void>
}

interface VertexFrontOptions {
  api: MessagesApi
  project: string
  region: string
}

/**
 * Starts a server that uses Google Vertex AI's wire format in front of a strict Messages API. It
 * also acts as the metadata server of a Google Cloud machine.
 */
export async function startVertexFront({ api, project, region }: VertexFrontOptions): Promise<VertexFront> {
  const token = `ya29.${randomBytes(18).toString('hex')}`
  const requests: string[] = []
  const models = `/projects/${project}/locations/${region}/publishers/anthropic/models/`
  const serve = async (incoming: IncomingMessage, response: ServerResponse) => {
    const path = decodeURIComponent(incoming.url ?? '').split('?')[0] ?? ''
    requests.push(path)
    if (path.startsWith('/computeMetadata/')) return sendMetadata(incoming, response, { path, token, project })
    if (incoming.headers.authorization !== `Bearer ${token}`) {
      throw new ApiError(401, 'Request had invalid authentication credentials. Expected OAuth 2 access token.')
    }
    const [model = '', method] = path.startsWith(models) ? path.slice(models.length).split(':') : []
    if (incoming.method !== 'POST' || method !== 'streamRawPredict') throw new ApiError(404, `${path} was not found`)
    if (incoming.headers['anthropic-version'] !== undefined) throw new ApiError(400, 'The version belongs in the body.')
    const { body } = await readRaw(incoming)
    if (body.stream !== true) throw new ApiError(400, 'stream: Field required')
    const name = model.replace(/@\d+$/, '')
    const answer = await forwardRequest(api, { body, model: name, stream: true, signal: whenGone(response) })
    response.writeHead(200, {
      'content-type': answer.headers.get('content-type') ?? '',
      'request-id': answer.headers.get('request-id') ?? '',
    })
    for await (const chunk of answer.body ?? []) response.write(chunk)
    response.end()
  }
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => sendError(response, error))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    metadataHost: `127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function sendMetadata(
  incoming: IncomingMessage,
  response: ServerResponse,
  { path, token, project }: { path: string; token: string; project: string },
): void {
  if (incoming.headers['metadata-flavor'] !== 'Google') throw new ApiError(403, 'Metadata-Flavor: Google is required')
  const headers = { 'metadata-flavor': 'Google' }
  if (path.endsWith('/token')) {
    response.writeHead(200, { ...headers, 'content-type': 'application/json' })
    response.end(JSON.stringify({ access_token: token, expires_in: 3599, token_type: 'Bearer' }))
    return
  }
  const texts: Record<string, string> = { 'project-id': project, 'universe-domain': 'googleapis.com' }
  response.writeHead(200, { ...headers, 'content-type': 'application/text' })
  response.end(texts[path.split('/').at(-1) ?? ''] ?? 'default')
}

function sendError(response: ServerResponse, thrown: unknown): void {
  const error = thrown instanceof ApiError ? thrown : new ApiError(500, String(thrown))
  if (response.headersSent) return void response.destroy()
  response.writeHead(error.status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: { code: error.status, message: error.message, status: 'FAILED' } }))
}
