import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'

/** Responds with JSON to bytes that are not valid HTTP. */
export function refuseBrokenRequest(error: NodeJS.ErrnoException, socket: Socket): void {
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
}
