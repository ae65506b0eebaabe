import { once } from 'node:events'
import { AuditEventPage, AuditFilter, ListAuditEventsQuery } from '@corrigenda/contracts'
import { type AuditScope, exportAuditEvents, listAuditEvents } from '@corrigenda/core/audit'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { type DashboardRoutes, ProjectParams } from '../../auth/guard.ts'

const PROJECT = '/dashboard/api/projects/:projectId/audit-events'
const INSTANCE = '/dashboard/api/ops/audit-events'
const projectId = z.string().max(100).optional()
const OpsQuery = z.strictObject({ ...ListAuditEventsQuery.shape, projectId })
const OpsFilter = z.strictObject({ ...AuditFilter.shape, projectId })

/**
 * The audit log: of a project for its owners, and of the whole instance for admins. The `.jsonl`
 * paths return all events that match as JSON Lines.
 */
export const auditRoutes: DashboardRoutes = async (app, { deps, guard }) => {
  const owner = guard.role('owner')

  app.get(
    PROJECT,
    {
      onRequest: owner,
      schema: { params: ProjectParams, querystring: ListAuditEventsQuery, response: { 200: AuditEventPage } },
    },
    (request) => listAuditEvents(deps, { ...request.query, projectId: request.params.projectId }),
  )

  app.get(
    INSTANCE,
    { onRequest: guard.admin, schema: { querystring: OpsQuery, response: { 200: AuditEventPage } } },
    (request) => listAuditEvents(deps, { ...request.query, projectId: request.query.projectId ?? null }),
  )

  // The export reads the database for longer than a request may wait for it.
  const config = { database: 'handler' } as const

  app.get(
    `${PROJECT}.jsonl`,
    { onRequest: owner, config, schema: { params: ProjectParams, querystring: AuditFilter } },
    (request, reply) => sendJsonLines(request, reply, { ...request.query, projectId: request.params.projectId }),
  )

  app.get(
    `${INSTANCE}.jsonl`,
    { onRequest: guard.admin, config, schema: { querystring: OpsFilter } },
    (request, reply) => sendJsonLines(request, reply, { ...request.query, projectId: request.query.projectId ?? null }),
  )

  /** Sends one event per line. Reads the next batch only after the client has received the last. */
  async function sendJsonLines(request: FastifyRequest, reply: FastifyReply, scope: AuditScope): Promise<FastifyReply> {
    const batches = exportAuditEvents(deps, scope)
    // Errors of the first batch still become an error response.
    let batch = await deps.monitor.run(() => batches.next())
    request.detach()
    reply.hijack()
    const { raw } = reply
    raw.writeHead(200, {
      ...(reply.getHeaders() as Record<string, string>),
      'content-type': 'application/x-ndjson; charset=utf-8',
      'content-disposition': 'attachment; filename="audit-events.jsonl"',
    })
    try {
      while (!batch.done && !raw.destroyed) {
        const lines = batch.value.map((event) => `${JSON.stringify(event)}\n`).join('')
        if (!raw.write(lines)) await Promise.race([once(raw, 'drain'), once(raw, 'close')])
        batch = await deps.monitor.run(() => batches.next())
      }
      raw.end()
    } catch (error) {
      deps.log.error({ err: error }, 'audit log export interrupted')
      // The client sees an incomplete response instead of a shorter log.
      raw.destroy()
    }
    return reply
  }
}
