import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Env } from '@corrigenda/core/runtime'
import type { SecretReference } from './declaration.ts'
import type { FieldPath, ReadDeclaration } from './read-declaration.ts'

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
