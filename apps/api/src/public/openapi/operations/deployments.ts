import { deployment } from '../examples.ts'
import type { OperationDocs } from '../operation-doc.ts'

export const deploymentDocs: OperationDocs = {
  'POST /v1/project/update/{projectId}': {
    operationId: 'triggerUpdate',
    tag: 'Deployments',
    summary: 'Deploy the documentation',
    description:
      "Asks the project's deploy target (a hook, or a workflow of its repository) to publish what is on the base branch. Answers at once; read the deployment with the `statusId` until `status` is `success` or `failure`. Deployments of a project run one after the other. At most 10 requests in 10 seconds per project. A body is not needed.",
    scope: 'project:deploy',
    answers: {
      202: {
        description: 'Accepted.',
        examples: { accepted: { value: { statusId: deployment._id } } },
      },
    },
    errors: ['no_deploy_target', 'deploy_rate_exceeded'],
  },
  'GET /v1/project/update-status/{statusId}': {
    operationId: 'getUpdateStatus',
    tag: 'Deployments',
    summary: 'Read a deployment',
    description: 'How a deployment stands, step by step. Every key of the project may read it.',
    scope: 'any',
    answers: { 200: { description: 'The deployment.', examples: { success: { value: deployment } } } },
  },
  'GET /v1/project/{projectId}/updates': {
    operationId: 'listUpdates',
    tag: 'Deployments',
    summary: 'List deployments',
    description:
      'Newest first. `nextCursor` leads to the next page and is null on the last one. Every key of the project may read them.',
    scope: 'any',
    answers: {
      200: {
        description: 'A page of deployments.',
        examples: { page: { value: { updates: [deployment], nextCursor: null } } },
      },
    },
  },
}
