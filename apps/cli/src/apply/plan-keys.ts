import { createKey, listKeys, revokeKey, toCidr } from '@corrigenda/core/keys'
import type { DeclaredKey, DeclaredProject } from './declaration.ts'
import { type PartPlan, type PlanDeps, type PlannedProject, type Step, toFieldChanges } from './plan.ts'
import type { FieldPath } from './read-declaration.ts'

const DAY_MS = 86_400_000

type KeyRow = Awaited<ReturnType<typeof listKeys>>[number]

/**
 * Plans the changes of a project's keys. A key cannot be changed, so a key that differs is replaced:
 * the new one is created and stored before the old one is revoked.
 */
export async function planKeys(
  deps: PlanDeps,
  project: PlannedProject,
  { keys: declared }: Pick<DeclaredProject, 'keys'>,
): Promise<PartPlan> {
  if (declared === undefined) return { steps: [], kept: [] }
  const rows = project.id === null ? [] : (await listKeys(deps.access, project.id)).filter(isActive)
  const steps = declared.flatMap((key, index) => planKey(deps, { key, rows, at: [...project.at, 'keys', index] }))
  const undeclared = rows.filter(({ name }) => !declared.some((one) => one.name === name))
  return {
    steps: [...steps, ...(deps.prune ? undeclared.map(toRevocation) : [])],
    kept: deps.prune ? [] : undeclared.map(toSubject),
  }
}

function planKey(
  { read }: PlanDeps,
  { key, rows, at }: { readonly key: DeclaredKey; readonly rows: readonly KeyRow[]; readonly at: FieldPath },
): Step[] {
  const wanted = {
    scopes: [...new Set(key.scopes)].sort(),
    addresses: key.addresses.map((range, index) => toRange(read, range, [...at, 'addresses', index])),
    expiresInDays: key.expires,
  }
  // The newest key with this name. Rotated keys stay active for a while.
  const known = rows.find(({ name }) => name === key.name)
  const fields = toFieldChanges(known === undefined ? {} : toSettings(known), { ...wanted })
  if (known !== undefined && fields.length === 0) return []
  if (key.secretOutput === undefined) {
    throw read.toError(at, 'is created, so it needs secretOutput: print or { file: PATH }.')
  }
  return [
    {
      action: known === undefined ? 'create' : 'update',
      subject: toSubject(key),
      output: key.secretOutput,
      fields: known === undefined ? fields : [...fields, { field: 'secret', before: 'old key', after: 'new key' }],
      async run({ access, projectId }) {
        const { name, scopes, expires } = key
        const input = { projectId, name, scopes, expiresInDays: expires, allowedCidrs: wanted.addresses }
        return (await createKey(access, input)).key
      },
    },
    ...(known === undefined ? [] : [toRevocation(known)]),
  ]
}

const toSubject = ({ name }: { readonly name: string }): string => `key ${name}`

const toRevocation = (row: KeyRow): Step => ({
  action: 'remove',
  subject: `key ${row.name} (cgd_${row.id})`,
  fields: [],
  run: ({ access }) => revokeKey(access, row.id),
})

const toSettings = ({ scopes, allowedCidrs, expiresAt, createdAt }: KeyRow) => ({
  scopes: [...scopes].sort(),
  addresses: allowedCidrs,
  expiresInDays: expiresAt && Math.round((expiresAt.getTime() - createdAt.getTime()) / DAY_MS),
})

const isActive = ({ revokedAt, expiresAt }: KeyRow): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt.getTime() > Date.now())

function toRange(read: PlanDeps['read'], range: string, field: FieldPath): string {
  try {
    return toCidr(range)
  } catch (error) {
    throw read.toError(field, `is not valid. ${(error as Error).message}`)
  }
}
