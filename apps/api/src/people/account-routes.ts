import {
  AccountSessionList,
  ChangePasswordRequest,
  DashboardSession,
  UpdateAccountRequest,
} from '@corrigenda/contracts'
import {
  endOtherSessions,
  endSession,
  forgetSignInTries,
  listSessions,
  renameAccount,
  takeSignInTry,
} from '@corrigenda/core'
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { ApiDeps } from '../deps.ts'
import { describeSession } from './describe-session.ts'
import type { Gate } from './gate.ts'
import type { People } from './people.ts'

const SessionParams = z.object({ id: z.string().max(100) })
const SESSIONS = '/dashboard/api/account/sessions'

/** A person's own account. */
export const accountRoutes: FastifyPluginAsyncZod<{ deps: ApiDeps; people: People; gate: Gate }> = async (
  app,
  { deps, people, gate },
) => {
  const onRequest = gate.person

  app.get(SESSIONS, { onRequest, schema: { response: { 200: AccountSessionList } } }, (request) =>
    deps.monitor.run(async () => ({ sessions: await listSessions(deps, gate.getPerson(request)) })),
  )

  app.delete(
    `${SESSIONS}/:id`,
    { onRequest, schema: { params: SessionParams, response: { 204: z.void() } } },
    async (request, reply) => {
      const { userId } = gate.getPerson(request)
      await deps.monitor.run(() => endSession(deps, { userId, id: request.params.id }))
      return reply.code(204).send(undefined)
    },
  )

  app.post(
    `${SESSIONS}/revoke-others`,
    { onRequest, schema: { response: { 204: z.void() } } },
    async (request, reply) => {
      await deps.monitor.run(() => endOtherSessions(deps, gate.getPerson(request)))
      return reply.code(204).send(undefined)
    },
  )

  app.post(
    '/dashboard/api/account/password',
    { onRequest, schema: { body: ChangePasswordRequest, response: { 204: z.void() } } },
    async (request, reply) => {
      const subject = { email: gate.getPerson(request).email, address: request.ip }
      await deps.monitor.run(async () => {
        await takeSignInTry(deps, subject)
        await people.changePassword({ request, reply }, request.body)
        await forgetSignInTries(deps, subject)
      })
      return reply.code(204).send(undefined)
    },
  )

  app.patch(
    '/dashboard/api/account',
    { onRequest, schema: { body: UpdateAccountRequest, response: { 200: DashboardSession } } },
    async (request) => {
      const person = gate.getPerson(request)
      const { name } = request.body
      await deps.monitor.run(() => renameAccount(deps, { userId: person.userId, name }))
      return describeSession(deps, request, { ...person, name })
    },
  )
}
