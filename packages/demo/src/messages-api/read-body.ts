import type { IncomingMessage } from 'node:http'
import { ApiError, refuse } from './api-error.ts'

const maxBodyBytes = 32 * 1024 * 1024

/**
 * Reads the JSON body of a request. A body over 32 MB is read to its end and discarded, so that the
 * client receives the error response.
 * @throws ApiError 413 `request_too_large`, or 400 if the body is not JSON
 */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= maxBodyBytes) chunks.push(chunk)
    else chunks.length = 0
  }
  if (bytes > maxBodyBytes) throw new ApiError(413, 'Request exceeds the maximum size')
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown
  } catch {
    return refuse('The request body is not valid JSON')
  }
}
