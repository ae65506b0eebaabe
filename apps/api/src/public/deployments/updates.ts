import {
  Deployment,
  DeploymentPage,
  type DeploymentTrigger,
  ListDeploymentsQuery,
  PreviewAccepted,
  PreviewRequest,
  UpdateAccepted,
} from '@corrigenda/contracts'
import { AppError } from '@corrigenda/core/base'
import { createDeployment, findDeploymentProject, getDeployment, listDeployments } from '@corrigenda/core/deployments'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type PublicRoutes, refuseAddress, requireAccess } from '../../auth/access.ts'
import { deployment } from '../openapi/examples.ts'
import { ProjectParams, StatusId } from '../openapi/path-parameters.ts'

const StatusParams = z.object({ statusId: StatusId })

/**
 * Documentation deployments, at the hosted API's paths. Triggering requires the scope
 * project:deploy. All of the project's keys can read deployments, so that a caller can wait for a
 * deployment to end.
 */
export const updateRoutes: PublicRoutes = async (app, { deps, authenticate }) => {
  const readable = async (request: FastifyRequest, reply: FastifyReply): Promise<string> => {
    const { projectId, statusId = '' } = request.params as { projectId?: string; statusId?: string }
    const caller = await authenticate.caller(request, reply, () => projectId ?? findDeploymentProject(deps, statusId))
    if ((projectId ?? caller.projectId) !== caller.projectId) throw new AppError('not_found', 'Not found.')
    if (caller.kind === 'key') refuseAddress(request, caller)
    return caller.projectId
  }

  // The body has no schema, because it has no fields. A missing body, an empty body and `{}` are
  // valid.
  app.post(
    '/v1/project/update/:projectId',
    {
      onRequest: requireAccess(authenticate, 'project:deploy'),
      schema: {
        operationId: 'triggerUpdate',
        tags: ['Deployments'],
        summary: 'Deploy the documentation',
        description:
          "Triggers the project's deploy target (a deploy hook, or a workflow in its repository), which publishes the base branch. Returns immediately. Poll the deployment with the `statusId` until `status` is `success` or `failure`. A project's deployments run one at a time. The limit is 10 requests per project in 10 seconds. No request body is required.",
        scope: 'project:deploy',
        answers: {
          202: {
            description: 'The deployment was accepted.',
            examples: { accepted: { value: { statusId: deployment._id } } },
          },
        },
        errors: ['no_deploy_target', 'deploy_rate_exceeded'],
        params: ProjectParams,
        response: { 202: UpdateAccepted },
      },
    },
    async (request, reply) => {
      const input = { ...request.params, jobId: null, trigger: toTrigger(request) }
      return reply.code(202).send(await createDeployment(authenticate.audited(request), input))
    },
  )

  app.post(
    '/v1/project/preview/:projectId',
    {
      onRequest: requireAccess(authenticate, 'project:deploy'),
      schema: {
        operationId: 'triggerPreview',
        tags: ['Deployments'],
        summary: 'Deploy a preview of a branch',
        description:
          "Triggers the project's deploy target for a branch other than the base branch. Returns immediately, with the URL that the preview will have. Poll the deployment with the `statusId`, as for other deployments. The limit is 5 requests per project in a minute. The project needs a URL for previews (`previewUrlTemplate`).",
        scope: 'project:deploy',
        requestExamples: { branch: { value: { branch: 'docs/json-flag' } } },
        answers: {
          202: {
            description: 'The deployment was accepted.',
            examples: {
              accepted: {
                value: { statusId: deployment._id, previewUrl: 'https://docs-json-flag.preview.example.com/' },
              },
            },
          },
        },
        errors: ['no_deploy_target', 'no_preview_url', 'deploy_rate_exceeded'],
        params: ProjectParams,
        body: PreviewRequest,
        response: { 202: PreviewAccepted },
      },
    },
    async (request, reply) => {
      const { branch: previewBranch } = request.body
      const input = { ...request.params, jobId: null, trigger: toTrigger(request), previewBranch }
      return reply.code(202).send(PreviewAccepted.parse(await createDeployment(authenticate.audited(request), input)))
    },
  )

  app.get(
    '/v1/project/update-status/:statusId',
    {
      schema: {
        operationId: 'getUpdateStatus',
        tags: ['Deployments'],
        summary: 'Read a deployment',
        description: "Returns a deployment's state and log. All of the project's keys can read it.",
        scope: 'any',
        answers: { 200: { description: 'The deployment.', examples: { success: { value: deployment } } } },
        params: StatusParams,
        response: { 200: Deployment },
      },
    },
    async (request, reply) => {
      const projectId = await readable(request, reply)
      return getDeployment(deps, { projectId, statusId: request.params.statusId })
    },
  )

  app.get(
    '/v1/project/:projectId/updates',
    {
      onRequest: async (request, reply) => void (await readable(request, reply)),
      schema: {
        operationId: 'listUpdates',
        tags: ['Deployments'],
        summary: 'List deployments',
        description:
          "Returns the project's deployments, newest first. `nextCursor` is the cursor for the next page, and null on the last page. All of the project's keys can read deployments.",
        scope: 'any',
        answers: {
          200: {
            description: 'A page of deployments.',
            examples: { page: { value: { updates: [deployment], nextCursor: null } } },
          },
        },
        params: ProjectParams,
        querystring: ListDeploymentsQuery,
        response: { 200: DeploymentPage },
      },
    },
    async (request) => listDeployments(deps, { ...request.params, ...request.query }),
  )
}

/** A request with a key is never treated as a user's request. */
const toTrigger = ({ headers }: FastifyRequest): DeploymentTrigger =>
  headers.authorization === undefined ? 'dashboard' : 'api'
