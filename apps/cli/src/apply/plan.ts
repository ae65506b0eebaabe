import { readFileSync } from 'node:fs'
import path from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Env } from '@corrigenda/core/runtime'
import type { DatabaseAccess } from '../environment/with-database-access.ts'
import type { SecretOutput, SecretReference } from './declaration.ts'
import type { FieldPath, ReadDeclaration } from './read-declaration.ts'

export interface FieldChange {
  readonly field: string
  /** Values for display. They contain no secrets. */
  readonly before: unknown
  readonly after: unknown
}

/** A secret that a step has created. */
interface IssuedSecret {
  readonly project: string
  readonly subject: string
  readonly secret: string
}

/** What a run has created. */
export interface ApplyResult {
  /** Secrets to print. */
  readonly issued: IssuedSecret[]
  /** IDs of the projects that exist or were created. */
  readonly ids: Map<ProjectPlan, string>
}

interface StepTarget {
  readonly access: DatabaseAccess
  readonly projectId: string
}

/** One change of an object. */
export interface Step {
  readonly action: 'create' | 'update' | 'remove'
  /** For example `key my-backend`. */
  readonly subject: string
  readonly fields: readonly FieldChange[]
  /** Where the secret that `run` returns goes. Its folder is checked before the step runs. */
  readonly output?: SecretOutput
  /** True to add the secret to the file of `output` as a line that starts with this label. */
  readonly label?: string
  /** Makes the change. With `output`, returns the secret that it created. */
  run(target: StepTarget): Promise<unknown>
}

export interface ProjectPlan {
  readonly name: string
  readonly repository: string
  /** Null for a project that does not exist yet. */
  readonly id: string | null
  readonly steps: readonly Step[]
  /** Objects that the declaration does not contain, and that stay. */
  readonly kept: readonly string[]
}

export interface PlanDeps {
  readonly access: DatabaseAccess
  readonly env: Env
  readonly read: ReadDeclaration
  /** Removes objects that a list in the declaration does not contain. */
  readonly prune: boolean
}

/** A project and its declaration's position. */
export interface PlannedProject {
  /** Null for a project that does not exist yet. */
  readonly id: string | null
  readonly at: FieldPath
}

/** The steps for one part of a project. */
export interface PartPlan {
  readonly steps: readonly Step[]
  readonly kept: readonly string[]
}

/** Returns the fields of `after` whose values differ in `before`. */
export function toFieldChanges(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): FieldChange[] {
  return Object.entries(after).flatMap(([field, value]) =>
    value === undefined || isDeepStrictEqual(before[field], value)
      ? []
      : [{ field, before: before[field] ?? null, after: value }],
  )
}

/**
 * Returns the value that a reference names, without surrounding white space.
 * @throws ConfigError that names the reference, if there is no such value or it is empty
 */
export function resolveSecret(
  { env, folder, toError }: Pick<ReadDeclaration, 'folder' | 'toError'> & { readonly env: Env },
  reference: SecretReference,
  field: FieldPath,
): string {
  const value = 'env' in reference ? env[reference.env] : findText(path.resolve(folder, reference.file))
  const secret = value?.trim()
  if (secret) return secret
  const what = 'env' in reference ? `The environment variable ${reference.env}` : `The file ${reference.file}`
  throw toError(field, `has no value. ${what} is missing, empty or unreadable.`)
}

/** Describes a reference in a plan, without its value. */
export const describeReference = (reference: SecretReference): string =>
  'env' in reference ? `from ${reference.env}` : `from ${reference.file}`

function findText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
