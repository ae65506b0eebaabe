import { SavedPrompt, SavedPromptList, SavePromptRequest, UpdateSavedPromptRequest } from '@corrigenda/contracts'
import {
  createSavedPrompt,
  deleteSavedPrompt,
  listSavedPrompts,
  updateSavedPrompt,
} from '@corrigenda/core/saved-prompts'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guard } from '../../auth/guard.ts'
import type { ApiDeps } from '../../http/deps.ts'

const ProjectParams = z.object({ projectId: z.string().max(100) })
const PromptParams = ProjectParams.extend({ id: z.string().max(100) })
const PROMPTS = '/dashboard/api/projects/:projectId/prompts'

/** A project's saved prompts, for its members. */
export const savedPromptRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; guard: Guard }> = async (
  app,
  { deps, guard },
) => {
  const audited = (request: FastifyRequest) => ({ ...deps, audit: guard.getAudit(request) })
  const onRequest = guard.role('member')

  app.get(
    PROMPTS,
    { onRequest, schema: { params: ProjectParams, response: { 200: SavedPromptList } } },
    async (request) => ({ prompts: await listSavedPrompts(deps, request.params.projectId) }),
  )

  app.post(
    PROMPTS,
    { onRequest, schema: { params: ProjectParams, body: SavePromptRequest, response: { 201: SavedPrompt } } },
    async (request, reply) => {
      const input = { projectId: request.params.projectId, request: request.body }
      return reply.code(201).send(await createSavedPrompt(audited(request), input))
    },
  )

  app.patch(
    `${PROMPTS}/:id`,
    { onRequest, schema: { params: PromptParams, body: UpdateSavedPromptRequest, response: { 200: SavedPrompt } } },
    (request) => updateSavedPrompt(audited(request), { ...request.params, change: request.body }),
  )

  app.delete(
    `${PROMPTS}/:id`,
    { onRequest, schema: { params: PromptParams, response: { 204: z.void() } } },
    async (request, reply) => {
      await deleteSavedPrompt(audited(request), request.params)
      return reply.code(204).send(undefined)
    },
  )
}
