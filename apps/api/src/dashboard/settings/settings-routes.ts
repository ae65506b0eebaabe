import {
  ProjectSettings,
  RepositoryTest,
  RepositoryTestAccepted,
  SaveCredentialRequest,
  SaveSettingsRequest,
} from '@corrigenda/contracts'
import { createConnectionCheck, getConnectionCheck } from '@corrigenda/core/connection-checks'
import {
  deleteGitCredential,
  deleteSourceCredential,
  saveGitCredential,
  saveSourceCredential,
} from '@corrigenda/core/credentials'
import { getProjectSettings, updateProjectSettings } from '@corrigenda/core/projects'
import { z } from 'zod'
import { type DashboardRoutes, ProjectParams } from '../../auth/guard.ts'

const TestParams = ProjectParams.extend({ id: z.string().max(100) })
const SourceParams = ProjectParams.extend({ source: z.string().max(100) })
const PROJECT = '/dashboard/api/projects/:projectId'
const TESTS = `${PROJECT}/repository-tests`

/**
 * A project's settings. Owners can change them, but only admins can change the repository. Members
 * can view them, without secrets. A worker tests the connection to the repository, because the API
 * never accesses repositories.
 */
export const settingsRoutes: DashboardRoutes = async (app, { deps, guard }) => {
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
      return updateProjectSettings(guard.audited(request), input)
    },
  )

  app.put(
    `${PROJECT}/credential`,
    { onRequest: owner, schema: { ...schema, body: SaveCredentialRequest } },
    async (request) => {
      const { projectId } = request.params
      const input = { projectId, token: request.body.token }
      await saveGitCredential(guard.audited(request), input)
      return getProjectSettings(deps, projectId)
    },
  )

  const ofSource = { params: SourceParams, response: { 200: ProjectSettings } }
  const url = `${PROJECT}/sources/:source/credential`

  app.put(url, { onRequest: owner, schema: { ...ofSource, body: SaveCredentialRequest } }, async (request) => {
    await saveSourceCredential(guard.audited(request), { ...request.params, token: request.body.token })
    return getProjectSettings(deps, request.params.projectId)
  })

  app.delete(url, { onRequest: owner, schema: ofSource }, async (request) => {
    await deleteSourceCredential(guard.audited(request), request.params)
    return getProjectSettings(deps, request.params.projectId)
  })

  app.delete(`${PROJECT}/credential`, { onRequest: owner, schema }, async (request) => {
    const { projectId } = request.params
    await deleteGitCredential(guard.audited(request), projectId)
    return getProjectSettings(deps, projectId)
  })

  app.post(
    TESTS,
    { onRequest: owner, schema: { params: ProjectParams, response: { 202: RepositoryTestAccepted } } },
    async (request, reply) => {
      const id = await createConnectionCheck(guard.audited(request), request.params.projectId)
      return reply.code(202).send({ id })
    },
  )

  app.get(
    `${TESTS}/:id`,
    { onRequest: member, schema: { params: TestParams, response: { 200: RepositoryTest } } },
    (request) => getConnectionCheck(deps, request.params),
  )
}
