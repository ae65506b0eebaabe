import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'

/** Time in ms and bytes that a client may still send after the response, so that it can read it. */
const LIMITS = { ms: 2_000, bytes: 16_777_216 }

/** The value of `bytesRead` at which a connection is closed, for connections with a response. */
const refused = new WeakMap<Socket, number>()

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
