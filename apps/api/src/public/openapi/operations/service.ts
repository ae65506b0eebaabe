import { z } from 'zod'
import { me } from '../examples.ts'
import type { OperationDocs } from '../operation-doc.ts'

export const serviceDocs: OperationDocs = {
  'GET /v1/me': {
    operationId: 'getMe',
    tag: 'Service',
    summary: 'Check the key',
    description: 'What the key is and may do, and what is left of its limits. Uses none of them.',
    scope: 'any',
    answers: { 200: { description: 'The key and its project.', examples: { me: { value: me } } } },
  },
  'GET /healthz': {
    operationId: 'getHealth',
    tag: 'Service',
    summary: 'Is the process alive?',
    description: 'Answers as long as the process runs, whatever else is away.',
    scope: null,
    answers: {
      200: {
        description: 'It runs.',
        schema: z.object({ status: z.literal('ok') }),
        examples: { ok: { value: { status: 'ok' } } },
      },
    },
  },
  'GET /readyz': {
    operationId: 'getReadiness',
    tag: 'Service',
    summary: 'Can jobs be accepted?',
    description: 'For load balancers. Only the database is needed: without the queue, jobs are accepted and run later.',
    scope: null,
    answers: {
      200: {
        description: 'Jobs can be accepted.',
        schema: z.object({ status: z.literal('ready') }),
        examples: { ready: { value: { status: 'ready' } } },
      },
    },
    errors: ['service_unavailable'],
  },
  'GET /openapi.json': {
    operationId: 'getOpenApi',
    tag: 'Service',
    summary: 'This document',
    description: 'OpenAPI 3.1, made from the schemas that validate.',
    scope: null,
    answers: { 200: { description: 'The document.', schema: z.record(z.string(), z.unknown()) } },
  },
}
