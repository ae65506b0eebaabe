import type {
  AcceptedInvitation,
  AcceptInvitationRequest,
  CreatedInvitation,
  CreateInvitationRequest,
  InvitationFacts,
  MemberList,
  UpdateMemberRequest,
} from '@corrigenda/contracts'
import { queryOptions } from '@tanstack/react-query'
import { request, toProjectPath } from './request.ts'

/** A project's members and pending invitations. */
export const membersQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'members'],
    queryFn: ({ signal }) => request<MemberList>(toProjectPath(projectId, 'members'), { signal }),
  })

export const createInvitation = (projectId: string, body: CreateInvitationRequest) =>
  request<CreatedInvitation>(toProjectPath(projectId, 'invitations'), { method: 'POST', body })

export const deleteInvitation = (projectId: string, id: string) =>
  request<void>(toProjectPath(projectId, 'invitations', id), { method: 'DELETE' })

export const updateMember = (projectId: string, userId: string, body: UpdateMemberRequest) =>
  request<unknown>(toProjectPath(projectId, 'members', userId), { method: 'PATCH', body })

/** `revokeKeys` also revokes the API keys that the member created in the project. */
export const removeMember = (projectId: string, userId: string, revokeKeys: boolean) =>
  request<void>(`${toProjectPath(projectId, 'members', userId)}${revokeKeys ? '?revokeKeys=true' : ''}`, {
    method: 'DELETE',
  })

const toInvitationPath = (token: string) => `/dashboard/api/invitations/${encodeURIComponent(token)}`

/** The project and role that an invitation link grants. */
export const invitationQuery = (token: string) =>
  queryOptions({
    queryKey: ['invitation', token],
    queryFn: ({ signal }) => request<InvitationFacts>(toInvitationPath(token), { signal }),
  })

export const acceptInvitation = (token: string, body: AcceptInvitationRequest) =>
  request<AcceptedInvitation>(`${toInvitationPath(token)}/accept`, { method: 'POST', body })
