import type { AuditAction, AuditActor, AuditEvent, AuditEventPage, AuditFilter } from '@corrigenda/contracts'
import { AppError } from '../base/errors.ts'
import type { PrismaDeps } from '../db/open-database.ts'
import type { AuditEventModel, AuditEventWhereInput } from '../generated/prisma/models/AuditEvent.ts'

export interface AuditScope extends AuditFilter {
  /** Null for all projects and the acts that concern the whole instance. */
  readonly projectId: string | null
}

/** Number of rows that an export reads at a time. */
const EXPORT_BATCH = 500

/**
 * Returns a page of the audit log, newest first.
 * @throws AppError `invalid_request` when the cursor is malformed
 */
export async function listAuditEvents(
  { prisma }: PrismaDeps,
  { cursor, limit, ...scope }: AuditScope & { readonly cursor?: string | undefined; readonly limit: number },
): Promise<AuditEventPage> {
  const rows = await prisma.auditEvent.findMany({
    where: { AND: [toWhere(scope), ...(cursor === undefined ? [] : [toAfterCursor(cursor)])] },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  })
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const nextCursor = rows.length > limit && last ? toCursor(last) : null
  return { events: page.map(toAuditEvent), nextCursor }
}

/** Yields all events that match, newest first, in batches, so that any number fits in memory. */
export async function* exportAuditEvents(deps: PrismaDeps, scope: AuditScope): AsyncGenerator<readonly AuditEvent[]> {
  let cursor: string | undefined
  do {
    const page = await listAuditEvents(deps, { ...scope, cursor, limit: EXPORT_BATCH })
    if (page.events.length > 0) yield page.events
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
}

function toWhere({ projectId, action, actor, since, until }: AuditScope): AuditEventWhereInput {
  return {
    ...(projectId === null ? {} : { projectId }),
    ...(action === undefined ? {} : { action }),
    ...(actor === undefined ? {} : { actorId: actor }),
    createdAt: {
      ...(since === undefined ? {} : { gte: new Date(since) }),
      ...(until === undefined ? {} : { lt: new Date(until) }),
    },
  }
}

const toCursor = ({ createdAt, id }: AuditEventModel): string =>
  Buffer.from(`${createdAt.getTime()} ${id}`).toString('base64url')

function toAfterCursor(cursor: string): AuditEventWhereInput {
  const [, ms, id = ''] =
    /^(\d{1,14}) (aud_[0-9a-z]{26})$/.exec(Buffer.from(cursor, 'base64url').toString('latin1')) ?? []
  if (ms === undefined) {
    throw new AppError(
      'invalid_request',
      'The cursor is invalid. Send the nextCursor value from the previous page unchanged.',
    )
  }
  const createdAt = new Date(Number(ms))
  // The first condition is redundant. It lets the index skip the rows before the cursor.
  return { createdAt: { lte: createdAt }, OR: [{ createdAt: { lt: createdAt } }, { createdAt, id: { lt: id } }] }
}

function toAuditEvent(row: AuditEventModel): AuditEvent {
  const { id, ipAddress, requestId, projectId } = row
  return {
    id,
    createdAt: row.createdAt.toISOString(),
    action: row.action as AuditAction,
    // A database constraint allows only known types.
    actor: { type: row.actorType as AuditActor['type'], id: row.actorId, name: row.actorName },
    ipAddress,
    requestId,
    projectId,
    target:
      row.targetType === null || row.targetId === null
        ? null
        : { type: row.targetType, id: row.targetId, name: row.targetName },
    before: row.before as AuditEvent['before'],
    after: row.after as AuditEvent['after'],
  }
}
