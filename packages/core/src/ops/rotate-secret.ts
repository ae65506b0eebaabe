import type { AuditedDeps } from '../audit/audit-context.ts'
import { toTokenContext } from '../credentials/git-credential.ts'
import { CLIENT_SECRET_CONTEXT, PRIVATE_KEY_CONTEXT, WEBHOOK_SECRET_CONTEXT } from '../credentials/github-app.ts'
import { toSourceTokenContext } from '../credentials/source-credential.ts'
import type { Db } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { activateSecret } from '../instance/activate-secret.ts'
import { type SealingKeys, toSealingKeys } from '../instance/open-instance.ts'
import { SIGNING_KEY_CONTEXT } from '../instance/signing-key.ts'
import { sealSecret, unsealSecret } from '../sealing/seal-secret.ts'
import { listKeys } from '../sealing/sealing-key.ts'

interface SealedColumn {
  readonly table: string
  /** SQL expression that identifies the row. A constant, never user input. */
  readonly id: string
  readonly column: string
  /** Field of a JSON column that contains the sealed value in base64. */
  readonly field?: string
  readonly key: keyof SealingKeys
  /** Returns the row id that the value is bound to. */
  readonly toContext: (id: string) => string
}

/** Every column that contains values sealed with a key of the service secret. */
export const SEALED_COLUMNS: readonly SealedColumn[] = [
  { table: 'webhook_endpoints', id: 'id', column: 'sealed_secret', key: 'webhookKey', toContext: (id) => id },
  { table: 'webhook_endpoints', id: 'id', column: 'previous_sealed_secret', key: 'webhookKey', toContext: (id) => id },
  {
    table: 'git_credentials',
    id: 'project_id',
    column: 'sealed_token',
    key: 'credentialKey',
    toContext: toTokenContext,
  },
  {
    table: 'source_credentials',
    id: "(project_id || ':' || source)",
    column: 'sealed_token',
    key: 'credentialKey',
    toContext: toSourceTokenContext,
  },
  ...[
    { column: 'sealed_private_key', context: PRIVATE_KEY_CONTEXT },
    { column: 'sealed_webhook_secret', context: WEBHOOK_SECRET_CONTEXT },
    { column: 'sealed_client_secret', context: CLIENT_SECRET_CONTEXT },
  ].map(({ column, context }) => ({
    table: 'github_apps',
    id: 'id',
    column,
    key: 'credentialKey' as const,
    toContext: () => context,
  })),
  {
    table: 'instance',
    id: 'id',
    column: 'sealed_signing_key',
    key: 'credentialKey',
    toContext: () => SIGNING_KEY_CONTEXT,
  },
  {
    table: 'projects',
    id: 'id',
    column: 'deploy_target',
    field: 'sealed',
    key: 'deployTargetKey',
    toContext: (id) => id,
  },
]

export interface RotationResult {
  /** Number of values that are now sealed with the new secret and were not before. */
  readonly resealed: number
  /** Values that neither secret decrypts, as `table.column of id`. They must be set again. */
  readonly unreadable: readonly string[]
}

/**
 * Makes the new secret the one that the database uses, then seals every stored secret with it, in
 * batches, while other processes run. Processes that were started with both secrets notice the
 * switch when they next store a secret. Can be repeated after an interruption.
 * @param deps.batchSize number of rows that are locked at a time
 * @throws Error if the database uses neither secret
 */
export async function rotateSecret(
  { prisma, audit, batchSize = 100 }: AuditedDeps & { readonly batchSize?: number },
  { secret, previousSecret }: { readonly secret: string; readonly previousSecret: string },
): Promise<RotationResult> {
  await activateSecret({ prisma, audit }, { secret, previousSecret })
  const keys = toSealingKeys({ secret, previousSecret })
  let resealed = 0
  const unreadable: string[] = []
  for (const column of SEALED_COLUMNS) {
    let after: string | null = ''
    while (after !== null) {
      const from: string = after
      const batch = await prisma.$transaction((tx) => resealBatch(tx, { column, keys, after: from, batchSize }))
      resealed += batch.resealed
      unreadable.push(...batch.unreadable)
      after = batch.last
    }
  }
  return { resealed, unreadable }
}

async function resealBatch(
  tx: Db,
  input: { column: SealedColumn; keys: SealingKeys; after: string; batchSize: number },
): Promise<RotationResult & { readonly last: string | null }> {
  const { column, keys, after, batchSize } = input
  const [table, name] = [column.table, column.column].map((part) => Prisma.raw(`"${part}"`))
  const id = Prisma.raw(column.id)
  const value = column.field ? Prisma.sql`decode(${name}->>${column.field}, 'base64')` : Prisma.sql`${name}`
  // `NO KEY` lets other transactions insert rows that refer to the locked ones.
  const rows = await tx.$queryRaw<{ id: string; sealed: Uint8Array }[]>`
    SELECT ${id}::text AS id, ${value} AS sealed FROM ${table}
    WHERE ${id}::text > ${after} AND ${value} IS NOT NULL
    ORDER BY ${id}::text LIMIT ${batchSize} FOR NO KEY UPDATE`
  const [current] = listKeys(keys[column.key]) as [Buffer]
  let resealed = 0
  const unreadable: string[] = []
  for (const row of rows) {
    const context = column.toContext(row.id)
    if (tryUnseal(current, context, row.sealed) !== null) continue
    const secret = tryUnseal(keys[column.key], context, row.sealed)
    if (secret === null) {
      unreadable.push(`${column.table}.${column.column} of ${row.id}`)
      continue
    }
    const sealed = sealSecret(current, context, secret)
    const stored = column.field
      ? Prisma.sql`jsonb_set(${name}, ARRAY[${column.field}], to_jsonb(${sealed.toString('base64')}::text))`
      : Prisma.sql`${sealed}`
    await tx.$executeRaw`UPDATE ${table} SET ${name} = ${stored} WHERE ${id}::text = ${row.id}`
    resealed += 1
  }
  return { resealed, unreadable, last: rows.length < batchSize ? null : (rows.at(-1)?.id ?? null) }
}

function tryUnseal(...input: Parameters<typeof unsealSecret>): string | null {
  try {
    return unsealSecret(...input)
  } catch {
    return null
  }
}
