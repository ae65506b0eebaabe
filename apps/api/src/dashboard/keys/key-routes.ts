import {
  CreatedDashboardKey,
  CreateKeyRequest,
  DashboardKeyList,
  RevokedDashboardKey,
  RotateKeyRequest,
} from '@corrigenda/contracts'
import { createDashboardKey, listDashboardKeys, revokeProjectKey, rotateKey } from '@corrigenda/core/keys'
import type { FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type DashboardRoutes, ProjectParams } from '../../auth/guard.ts'

const KeyParams = ProjectParams.extend({ id: z.string().max(100) })
const KEYS = '/dashboard/api/projects/:projectId/keys'

export const keyRoutes: DashboardRoutes = async (app, { deps, guard }) => {
  const onRequest = guard.role('member')
  const toUser = (request: FastifyRequest) => ({
    userId: guard.getUser(request).userId,
    role: guard.getRole(request),
  })

  app.get(
    KEYS,
    { onRequest, schema: { params: ProjectParams, response: { 200: DashboardKeyList } } },
    async (request) => ({ keys: await listDashboardKeys(deps, { ...request.params, user: toUser(request) }) }),
  )

  app.post(
    KEYS,
    { onRequest, schema: { params: ProjectParams, body: CreateKeyRequest, response: { 201: CreatedDashboardKey } } },
    async (request, reply) => {
      const input = { ...request.params, user: toUser(request), request: request.body }
      return reply.code(201).send(await createDashboardKey(guard.audited(request), input))
    },
  )

  app.post(
    `${KEYS}/:id/rotate`,
    { onRequest, schema: { params: KeyParams, body: RotateKeyRequest, response: { 201: CreatedDashboardKey } } },
    async (request, reply) => {
      const input = { ...request.params, ...request.body, user: toUser(request) }
      return reply.code(201).send(await rotateKey(guard.audited(request), input))
    },
  )

  app.post(
    `${KEYS}/:id/revoke`,
    { onRequest, schema: { params: KeyParams, response: { 200: RevokedDashboardKey } } },
    async (request) => ({
      key: await revokeProjectKey(guard.audited(request), { ...request.params, user: toUser(request) }),
    }),
  )
}
