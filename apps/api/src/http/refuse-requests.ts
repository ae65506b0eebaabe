import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { sendRefusal } from './errors.ts'

const JOBS = 'Create a job with POST /v2/agent/{projectId}/job and read it with GET /v2/agent/{projectId}/job/{id}.'

/**
 * Advice for paths that clients of the hosted API may call, by the beginning of the path. The hosted
 * API has endpoints that Corrigenda does not have.
 */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/^\/(v\d+\/agent|api\/agent|agent)(\/|$)/, JOBS],
  [/^\/v\d+(\/|$)/, 'If it is an endpoint of the hosted API, this service does not have it.'],
]

/** Time in ms and bytes that a client may still send after the response, so that it can read it. */
const LIMITS = { ms: 2_000, bytes: 16_777_216 }

/** The value of `bytesRead` at which a connection is closed, for connections with a response. */
const refused = new WeakMap<Socket, number>()

const METHODS: readonly HTTPMethods[] = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']

/**
 * Responds with 405 and `Allow` to unsupported methods on known paths. Must be called before the
 * routes are added. The returned function covers only the routes added before it is called.
 */
export function refuseOtherMethods(app: FastifyInstance): () => void {
  const allowed = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = allowed.get(url) ?? new Set()
    for (const name of [method].flat()) methods.add(name)
    allowed.set(url, methods)
  })
  return () => {
    for (const [url, methods] of [...allowed]) {
      const others = METHODS.filter((name) => !methods.has(name))
      const allow = [...methods].sort().join(', ')
      app.route({
        method: others,
        url,
        exposeHeadRoute: false,
        config: { database: 'none' },
        // Responds before the body is read.
        onRequest: async (_request, reply) => {
          reply.header('allow', allow)
          return sendRefusal(reply, {
            status: 405,
            code: 'method_not_allowed',
            message: `This path supports only ${allow}.`,
          })
        },
        handler: async () => {},
      })
    }
  }
}

/** Responds with JSON to bytes that are not valid HTTP. */
export function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Socket, limits = LIMITS): void {
  const limit = refused.get(socket)
  // Every further chunk is also an error.
  if (limit !== undefined && socket.bytesRead < limit && !socket.readableEnded) return
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const tooLarge = error.code === 'HPE_HEADER_OVERFLOW'
  const status = tooLarge ? '431 Request Header Fields Too Large' : '400 Bad Request'
  const body = JSON.stringify({
    error: tooLarge ? 'The request headers are too large.' : 'This is not a valid HTTP request.',
  })
  const code = tooLarge ? 'headers_too_large' : 'invalid_request'
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${randomUUID()}\r\nX-Error-Code: ${code}\r\nConnection: close\r\n\r\n${body}`,
  )
  refused.set(socket, socket.bytesRead + limits.bytes)
  const timer = setTimeout(() => socket.destroy(), limits.ms)
  socket.once('close', () => clearTimeout(timer))
}

/** Responds to a path without a route. */
export function refuseUnknownPath({ url }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const advice = ADVICE.find(([start]) => start.test(url))?.[1]
  const message =
    advice === undefined
      ? 'This path does not exist. Check the URL.'
      : `This path does not exist. ${advice} /reference lists all endpoints.`
  return sendRefusal(reply, { status: 404, code: 'unknown_path', message })
}
