import { JobChanges } from '@corrigenda/contracts'
import { getChanges } from '@corrigenda/core/jobs'
import type { FastifyReply } from 'fastify'
import { type PublicRoutes, requireAccess } from '../../auth/access.ts'
import { prefersType } from '../../http/prefers-type.ts'
import { changes } from '../openapi/examples.ts'
import { JOB_PATHS, JobParams, toJobKey } from './job-requests.ts'

const DIFF = 'text/x-diff'

/** A job's changes, as JSON or as a patch for `git apply`. */
export const agentJobChangeRoutes: PublicRoutes = async (app, { deps, authenticate }) => {
  const read = requireAccess(authenticate, 'jobs:read')
  for (const path of JOB_PATHS) {
    app.get(
      `${path}/:id/changes`,
      {
        onRequest: read,
        schema: {
          operationId: 'getJobChanges',
          tags: ['Jobs'],
          summary: "Read a job's changes",
          description:
            'Returns the changed files and their patches against the base commit. They remain available after the branch is deleted. With `Accept: text/x-diff`, returns only the patch, in the format that `git apply` accepts.',
          scope: 'jobs:read',
          answers: {
            200: {
              description: 'The changes. Empty until the agent has changed a file.',
              examples: { modified: { value: changes } },
              text: { 'text/x-diff': changes.patch },
            },
          },
          params: JobParams,
          response: { 200: JobChanges },
        },
      },
      async (request, reply) => {
        const changes = await getChanges(deps, toJobKey(request.params))
        reply.header('vary', 'accept').header('cache-control', 'private, no-cache')
        if (!prefersType(request.headers.accept, DIFF)) return changes
        sendDiff(reply, changes.patch)
        return reply
      },
    )
  }
}

function sendDiff(reply: FastifyReply, patch: string): void {
  reply.type(`${DIFF}; charset=utf-8`).serializer(String).send(patch)
}
