import { ProjectSettings, SaveCredentialRequest, SaveSettingsRequest } from '@corrigenda/contracts'
import {
  deleteGitCredential,
  deleteSourceCredential,
  saveGitCredential,
  saveSourceCredential,
} from '@corrigenda/core/credentials'
import { getProjectSettings, updateProjectSettings } from '@corrigenda/core/projects'
import type { FastifyRequest } from 'fastify'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Guard } from '../../auth/guard.ts'
import type { ApiDeps } from '../../http/deps.ts'

const ProjectParams = z.object({ projectId: z.string().max(100) })
const SourceParams = ProjectParams.extend({ source: z.string().max(100) })
const PROJECT = '/dashboard/api/projects/:projectId'

/**
 * A project's settings. Owners can change them, but only admins can change the repository. Members
 * can view them, without secrets.
 */
export const settingsRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; guard: Guard }> = async (app, { deps, guard }) => {
  const audited = (request: FastifyRequest) => ({ ...deps, audit: guard.getAudit(request) })
  const member = guard.role('member')
  const owner = guard.role('owner')
  const schema = { params: ProjectParams, response: { 200: ProjectSettings } }

  app.get(`${PROJECT}/settings`, { onRequest: member, schema }, (request) =>
    getProjectSettings(deps, request.params.projectId),
  )

  app.patch(
    `${PROJECT}/settings`,
    { onRequest: owner, schema: { ...schema, body: SaveSettingsRequest } },
    (request) => {
      const { projectId } = request.params
      const user = guard.getUser(request)
      const { savedSource, ...change } = request.body
      // The request contains all sources. An admin who saves one of them has not chosen the others.
      const others = (change.sources ?? []).map(({ name }) => name).filter((name) => name !== savedSource)
      const input = { projectId, change, mayMove: user.isAdmin, untouchedSources: others }
      return updateProjectSettings(audited(request), input)
    },
  )

  app.put(
    `${PROJECT}/credential`,
    { onRequest: owner, schema: { ...schema, body: SaveCredentialRequest } },
    async (request) => {
      const { projectId } = request.params
      const input = { projectId, token: request.body.token }
      await saveGitCredential(audited(request), input)
      return getProjectSettings(deps, projectId)
    },
  )

  const ofSource = { params: SourceParams, response: { 200: ProjectSettings } }
  const url = `${PROJECT}/sources/:source/credential`

  app.put(url, { onRequest: owner, schema: { ...ofSource, body: SaveCredentialRequest } }, async (request) => {
    await saveSourceCredential(audited(request), { ...request.params, token: request.body.token })
    return getProjectSettings(deps, request.params.projectId)
  })

  app.delete(url, { onRequest: owner, schema: ofSource }, async (request) => {
    await deleteSourceCredential(audited(request), request.params)
    return getProjectSettings(deps, request.params.projectId)
  })

  app.delete(`${PROJECT}/credential`, { onRequest: owner, schema }, async (request) => {
    const { projectId } = request.params
    await deleteGitCredential(audited(request), projectId)
    return getProjectSettings(deps, projectId)
  })
}
