import {
  CreatedInvitation,
  CreateInvitationRequest,
  isAtLeast,
  MemberList,
  UpdateMemberRequest,
} from '@corrigenda/contracts'
import { createInvitation, deleteInvitation, listMembers, removeMember, updateMember } from '@corrigenda/core/accounts'
import { z } from 'zod'
import { roleMissing } from '../../auth/access.ts'
import { type DashboardRoutes, ProjectParams } from '../../auth/guard.ts'

const MemberParams = ProjectParams.extend({ userId: z.string().max(100) })
const InvitationParams = ProjectParams.extend({ id: z.string().max(100) })
/** With `revokeKeys=true`, removing a member also revokes the keys that the member created. */
const RemoveQuery = z.object({ revokeKeys: z.enum(['true', 'false']).optional() })
const PROJECT = '/dashboard/api/projects/:projectId'

/**
 * A project's members and invitations. All members can view the member list. Only owners can view
 * invitations and make changes.
 */
export const memberRoutes: DashboardRoutes = async (app, { deps, guard }) => {
  const viewer = guard.role('viewer')
  const owner = guard.role('owner')

  app.get(
    `${PROJECT}/members`,
    { onRequest: viewer, schema: { params: ProjectParams, response: { 200: MemberList } } },
    (request) => {
      const withInvitations = isAtLeast(guard.getRole(request), 'owner')
      const input = { projectId: request.params.projectId, userId: guard.getUser(request).userId, withInvitations }
      return listMembers(deps, input)
    },
  )

  app.patch(
    `${PROJECT}/members/:userId`,
    { onRequest: owner, schema: { params: MemberParams, body: UpdateMemberRequest, response: { 204: z.void() } } },
    async (request, reply) => {
      await updateMember(guard.audited(request), { ...request.params, role: request.body.role })
      return reply.code(204).send(undefined)
    },
  )

  app.delete(
    `${PROJECT}/members/:userId`,
    { onRequest: viewer, schema: { params: MemberParams, querystring: RemoveQuery, response: { 204: z.void() } } },
    async (request, reply) => {
      // Any member can leave the project.
      const isOwn = request.params.userId === guard.getUser(request).userId
      if (!isOwn && !isAtLeast(guard.getRole(request), 'owner')) throw roleMissing()
      const revokeKeys = request.query.revokeKeys === 'true'
      await removeMember(guard.audited(request), { ...request.params, revokeKeys })
      return reply.code(204).send(undefined)
    },
  )

  app.post(
    `${PROJECT}/invitations`,
    {
      onRequest: owner,
      schema: { params: ProjectParams, body: CreateInvitationRequest, response: { 201: CreatedInvitation } },
    },
    async (request, reply) => {
      const { role, email = null } = request.body
      const createdById = guard.getUser(request).userId
      const input = { projectId: request.params.projectId, role, email, createdById }
      const { id, token, expiresAt } = await createInvitation(guard.audited(request), input)
      const url = `${deps.publicUrl}/invitations/${token}`
      return reply.code(201).send({ id, url, expiresAt: expiresAt.toISOString() })
    },
  )

  app.delete(
    `${PROJECT}/invitations/:id`,
    { onRequest: owner, schema: { params: InvitationParams, response: { 204: z.void() } } },
    async (request, reply) => {
      await deleteInvitation(guard.audited(request), request.params)
      return reply.code(204).send(undefined)
    },
  )
}
