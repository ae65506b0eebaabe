import { AppError } from '@corrigenda/core/base'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'

const FORMAT = /^[\x21-\x7e][\x20-\x7e]{0,254}$/

export const IdempotencyKey = z.string().regex(FORMAT, 'must be 1 to 255 printable ASCII characters')

/**
 * Returns the request's idempotency key, or null if the request has no key.
 * @throws AppError `invalid_request` if the key is invalid
 */
export function findIdempotencyKey(request: FastifyRequest): string | null {
  const key = request.headers['idempotency-key']
  if (key === undefined) return null
  if (typeof key !== 'string' || !FORMAT.test(key)) {
    throw new AppError('invalid_request', 'The Idempotency-Key header must be 1 to 255 printable ASCII characters.')
  }
  return key
}
