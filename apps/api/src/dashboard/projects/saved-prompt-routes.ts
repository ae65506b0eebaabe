import { SavedPrompt, SavedPromptList, SavePromptRequest, UpdateSavedPromptRequest } from '@corrigenda/contracts'
import {
  createSavedPrompt,
  deleteSavedPrompt,
  listSavedPrompts,
  updateSavedPrompt,
} from '@corrigenda/core/saved-prompts'
import { z } from 'zod'
import { type DashboardRoutes, ProjectParams } from '../../auth/guard.ts'

const PromptParams = ProjectParams.extend({ id: z.string().max(100) })
const PROMPTS = '/dashboard/api/projects/:projectId/prompts'

/** A project's saved prompts, for its members. */
export const savedPromptRoutes: DashboardRoutes = async (app, { deps, guard }) => {
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
      return reply.code(201).send(await createSavedPrompt(guard.audited(request), input))
    },
  )

  app.patch(
    `${PROMPTS}/:id`,
    { onRequest, schema: { params: PromptParams, body: UpdateSavedPromptRequest, response: { 200: SavedPrompt } } },
    (request) => updateSavedPrompt(guard.audited(request), { ...request.params, change: request.body }),
  )

  app.delete(
    `${PROMPTS}/:id`,
    { onRequest, schema: { params: PromptParams, response: { 204: z.void() } } },
    async (request, reply) => {
      await deleteSavedPrompt(guard.audited(request), request.params)
      return reply.code(204).send(undefined)
    },
  )
}
