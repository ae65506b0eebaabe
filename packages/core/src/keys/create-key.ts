import type { KeyScope } from '@corrigenda/contracts'
import ipaddr from 'ipaddr.js'
import type { AuditedDeps } from '../audit/audit-context.ts'
import { type NewAuditEvent, recordAuditEvent } from '../audit/record-audit-event.ts'
import { AppError } from '../base/errors.ts'
import type { Db } from '../db/open-database.ts'
import { toName } from '../projects/to-name.ts'
import { hashSecret } from './hash-secret.ts'
import { buildKey } from './key-format.ts'

interface NewKey {
  readonly projectId: string
  readonly name: string
  readonly scopes: readonly KeyScope[]
  /** Days until the key expires, or null for a key that does not expire. */
  readonly expiresInDays: number | null
  /** IP addresses or ranges that may use the key. Empty to allow all. */
  readonly allowedCidrs?: readonly string[]
  /** Id of the user who creates the key. Null or omitted on the command line. */
  readonly createdById?: string | null
  /** Id of the key that this one replaces. */
  readonly rotatedFromId?: string | null
}

/**
 * Creates a key for a project. The key itself is returned only once.
 * @throws Error when the name is empty or too long, the project does not exist or `allowedCidrs`
 * contains an invalid IP address or range
 */
export async function createKey(
  deps: AuditedDeps & { keyPepper: Buffer },
  input: NewKey,
): Promise<{ id: string; key: string; expiresAt: Date | null }> {
  return deps.prisma.$transaction(async (tx) => {
    const created = await insertKey(tx, deps, input)
    await recordAuditEvent(tx, deps.audit, toKeyCreated(created.id, input))
    return created
  })
}

/** Describes a new key for the audit log. */
export function toKeyCreated(id: string, input: NewKey): NewAuditEvent {
  const { projectId, name, scopes, expiresInDays, allowedCidrs = [] } = input
  return {
    action: 'key.created',
    projectId,
    target: { type: 'key', id, name },
    after: { scopes: [...scopes], expiresInDays, allowedCidrs: [...allowedCidrs] },
  }
}

/** Inserts a key. The caller records the act in the same transaction. */
export async function insertKey(
  tx: Db,
  deps: { readonly keyPepper: Buffer },
  input: NewKey,
): Promise<{ id: string; key: string; expiresAt: Date | null }> {
  const name = toName(input.name, 'key')
  const project = await tx.project.findUnique({
    where: { id: input.projectId, deletedAt: null },
    select: { id: true },
  })
  if (!project)
    throw new Error(`There is no project ${input.projectId}. List the projects with "corrigenda project list".`)
  const allowedCidrs = (input.allowedCidrs ?? []).map(toCidr)
  const { id, secret, key } = buildKey()
  const expiresAt = input.expiresInDays === null ? null : new Date(Date.now() + input.expiresInDays * 86_400_000)
  await tx.apiKey.create({
    data: {
      id,
      projectId: input.projectId,
      name,
      secretHash: new Uint8Array(hashSecret(deps.keyPepper, secret)),
      scopes: [...input.scopes],
      allowedCidrs,
      expiresAt,
      createdById: input.createdById ?? null,
      rotatedFromId: input.rotatedFromId ?? null,
    },
  })
  return { id, key, expiresAt }
}

/**
 * Returns an IP address or range in its stored form, which is always a range.
 * @throws AppError `invalid_request`
 */
export function toCidr(range: string): string {
  const text = range.includes('/') ? range : `${range}/${range.includes(':') ? 128 : 32}`
  if (!ipaddr.isValidCIDR(text)) {
    throw new AppError('invalid_request', `"${range}" is not an IP address or a range such as 203.0.113.0/24.`)
  }
  return text
}
