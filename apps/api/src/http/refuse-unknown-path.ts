import type { FastifyReply, FastifyRequest } from 'fastify'
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

/** Responds to a path without a route. */
export function refuseUnknownPath({ url }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const advice = ADVICE.find(([start]) => start.test(url))?.[1]
  const message =
    advice === undefined
      ? 'This path does not exist. Check the URL.'
      : `This path does not exist. ${advice} /reference lists all endpoints.`
  return sendRefusal(reply, { status: 404, code: 'unknown_path', message })
}
