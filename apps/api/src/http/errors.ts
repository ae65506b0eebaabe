import { ERRORS, EXAMPLE_PROMPT } from '@corrigenda/contracts'
import { AppError } from '@corrigenda/core/base'
import { InterruptedError, isConnectionError, RolledBackError, toSqlState } from '@corrigenda/core/db'
import { DuplicateJobError, QuotaError } from '@corrigenda/core/jobs'
import type { FastifyBaseLogger, FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod'
import { TooManyRequestsError } from './limit-requests.ts'
import { setQuotaHeaders } from './quota-headers.ts'
import { type Refusal, toFailedWork, toTrueRefusal } from './unknown-outcome.ts'

/**
 * The only error handler. Every error is sent as `{"error": "<sentence>"}` with its code in a
 * header.
 */
export function handleError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = toTrueRefusal(toRefusal(error, request), error, toFailedWork(request))
  if (refusal.status >= 500) logFailure(request.log, refusal, error)
  if (error instanceof QuotaError) setQuotaHeaders(reply, error.quota)
  if (error instanceof DuplicateJobError) reply.header('x-job-id', error.jobId)
  return sendRefusal(reply, refusal)
}

/** Logs the reason of a response with a 5xx status. Only internal errors need the stack. */
export function logFailure(log: FastifyBaseLogger, { code }: Refusal, error: unknown): void {
  const reason = toReason(error)
  if (code === 'internal_error') log.error({ code, reason, err: error }, 'request failed')
  else log.warn({ code, reason }, 'request failed')
}

export function sendRefusal(reply: FastifyReply, { status, code, message, retryAfterSeconds }: Refusal): FastifyReply {
  if (status === 401) reply.header('www-authenticate', 'Bearer')
  if (retryAfterSeconds) reply.header('retry-after', String(retryAfterSeconds))
  return reply
    .code(status)
    .header('x-error-code', code)
    .serializer(JSON.stringify)
    .type(JSON_TYPE)
    .send({ error: message })
}

export const JSON_TYPE = 'application/json; charset=utf-8'

/**
 * Maps any thrown value to an error that is safe to show to the caller.
 * @param request the request that failed; absent for errors that have no request
 */
export function toRefusal(error: unknown, request?: FastifyRequest): Refusal {
  if (error instanceof RolledBackError) return toRefusal(error.cause, request)
  if (error instanceof AppError) {
    return {
      status: ERRORS[error.code].status,
      code: error.code,
      message: error.message,
      retryAfterSeconds: error.retryAfterSeconds,
    }
  }
  if (error instanceof TooManyRequestsError) {
    const { code, message, retryAfterSeconds } = error
    return { status: ERRORS[code].status, code, message, retryAfterSeconds }
  }
  if (hasZodFastifySchemaValidationErrors(error)) {
    const [first] = error.validation
    const where = first?.instancePath.replace(/^\//, '').replaceAll('/', '.')
    const subject = where ? `"${where}": ${first?.message}` : (first?.message ?? 'It does not match the schema')
    // Only body validation errors include an example. Otherwise, the field name is sufficient.
    const example =
      error.validationContext === 'body' ? ` Send a JSON object such as {"prompt": "${EXAMPLE_PROMPT}"}.` : ''
    return { status: 400, code: 'invalid_request', message: `The request is not valid. ${subject}.${example}` }
  }
  const { code, statusCode } = (error ?? {}) as Partial<FastifyError>
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return toTooLarge(request?.routeOptions.bodyLimit)
  const known = typeof code === 'string' ? FRAMEWORK[code] : undefined
  if (known) return known
  const sqlState = toSqlState(error) ?? ''
  const limited = LIMITS[sqlState]
  if (limited) return limited
  if (error instanceof InterruptedError || isConnectionError(error)) {
    return {
      status: 503,
      code: 'service_unavailable',
      message: 'The service cannot reach its database at the moment. Try again in a few seconds.',
      retryAfterSeconds: 2,
    }
  }
  // P2025: the row to change no longer exists.
  const refused = code === 'P2025' ? GONE : SQL[sqlState]
  if (refused) return refused
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return { status: statusCode, code: 'invalid_request', message: 'The request is not valid HTTP for this endpoint.' }
  }
  return {
    status: 500,
    code: 'internal_error',
    message: 'An internal error occurred. Try again, and report the x-request-id if the error persists.',
  }
}

/** @param limit the limit of the request's route, in bytes */
function toTooLarge(limit: number | undefined): Refusal {
  const allowed = limit === undefined ? '' : ` It can have up to ${limit / 1_048_576} MiB.`
  return { status: 413, code: 'body_too_large', message: `The body is too large.${allowed}` }
}

/** The row was deleted during the request. */
const GONE: Refusal = { status: 404, code: 'not_found', message: 'Not found.' }

/** The configured limits on statements and on waiting for locks, keyed by SQLSTATE. */
const LIMITS: Readonly<Record<string, Refusal>> = {
  '57014': {
    status: 503,
    code: 'service_unavailable',
    message: 'The request took too long. Limit it, for example with createdAfter, or try again later.',
    retryAfterSeconds: 5,
  },
  '55P03': {
    status: 503,
    code: 'service_unavailable',
    message: 'The request waited too long for others that change the same data. Nothing was changed. Try again.',
    retryAfterSeconds: 2,
  },
}

/** Database errors caused by the request or by a concurrent request, keyed by SQLSTATE. */
const SQL: Readonly<Record<string, Refusal>> = {
  // A row that the request refers to does not exist.
  '23503': GONE,
  // The text contains a NUL character.
  '22021': {
    status: 400,
    code: 'invalid_request',
    message: 'The request is not valid. It contains a character that cannot be stored.',
  },
  // Deadlock: this transaction was aborted.
  '40P01': {
    status: 503,
    code: 'service_unavailable',
    message: 'Another request changed the same data at the same time. Nothing was changed. Try again.',
    retryAfterSeconds: 1,
  },
}

const BAD_JSON: Refusal = {
  status: 400,
  code: 'invalid_json',
  message: `The body is not valid JSON in UTF-8. Send an object such as {"prompt": "${EXAMPLE_PROMPT}"}.`,
}

/** Framework errors, keyed by code. */
const FRAMEWORK: Readonly<Record<string, Refusal>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    code: 'unsupported_media_type',
    message: 'The body must be JSON. Set Content-Type to application/json.',
  },
  FST_ERR_CTP_EMPTY_JSON_BODY: BAD_JSON,
  FST_ERR_CTP_INVALID_JSON_BODY: BAD_JSON,
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: {
    status: 400,
    code: 'invalid_request',
    message: 'The Content-Length header does not match the body.',
  },
  FST_ERR_BAD_URL: { status: 400, code: 'invalid_url', message: 'The URL is not correctly encoded.' },
  FST_ERR_ASYNC_CONSTRAINT: {
    status: 400,
    code: 'invalid_request',
    message: 'The request is not valid HTTP for this endpoint.',
  },
  FST_ERR_MAX_PARAM_LENGTH: { status: 414, code: 'url_too_long', message: 'A part of the URL is too long.' },
}

/** Maximum length of a reason in the log. */
const MAX_REASON = 500

/** Returns the messages of an error and its causes in one line, for the log. */
function toReason(error: unknown): string {
  const parts: string[] = []
  for (let at = error, depth = 0; at instanceof Error && depth < 4; depth += 1) {
    // The last line of a message of Prisma. The lines before it repeat the call.
    const line = at.message.trim().split('\n').at(-1) ?? ''
    const { code } = at as { code?: unknown }
    parts.push(typeof code === 'string' ? `${code} ${line}` : line)
    at = at.cause
  }
  const sqlState = toSqlState(error)
  if (sqlState !== null) parts.push(`SQLSTATE ${sqlState}`)
  return parts.join(' < ').slice(0, MAX_REASON) || String(error).slice(0, MAX_REASON)
}
