import type { AuditActor } from '@corrigenda/contracts'
import type { SignedInUser } from '@corrigenda/core/accounts'
import type { AuditContext } from '@corrigenda/core/audit'
import type { FastifyRequest } from 'fastify'

/** Returns who sends the request and from where, for the audit log. */
export const toAuditContext = (request: FastifyRequest, actor: AuditActor): AuditContext => ({
  actor,
  ipAddress: request.ip,
  requestId: request.id,
})

export const toUserActor = ({ userId, name }: SignedInUser): AuditActor => ({ type: 'user', id: userId, name })

/** A caller who is not signed in, such as a visitor who creates the first account. */
export const ANONYMOUS: AuditActor = { type: 'anonymous', id: null, name: 'not signed in' }
