import type { AllowedHosts } from '@corrigenda/contracts'
import { type AuditedDeps, COMMAND_LINE } from '@corrigenda/core/audit'
import { type Database, migrateDatabase, openDatabase } from '@corrigenda/core/db'
import { type InstanceSecrets, openInstance, type SecretSettings } from '@corrigenda/core/instance'
import { gitHosts, hookHosts, hosts, postgresUrl, readEnv, toAllowedHosts, trueOrFalse } from '@corrigenda/core/runtime'
import { z } from 'zod'
import type { CommandPlace } from './command-context.ts'
import { resolveEnvironment } from './resolve-environment.ts'
import { findPublicUrl } from './state-file.ts'

/** Settings of commands that use the database directly. */
export const Settings = z.object({
  DATABASE_URL: postgresUrl,
  CORRIGENDA_SECRET: z
    .string('is required. Use the same value as the API.')
    .min(32, 'must have at least 32 characters'),
  CORRIGENDA_SECRET_PREVIOUS: z.string().optional(),
  ALLOWED_REPOSITORY_HOSTS: hosts.default(['github.com']),
  GIT_HOSTS: gitHosts.default([]),
  ALLOWED_HOOK_HOSTS: hookHosts.default([]),
  PASSWORD_SIGN_IN: trueOrFalse.default('true'),
  PUBLIC_URL: z.url('must be a URL').optional(),
})

/** Dependencies of commands that use the database directly. */
export interface DatabaseAccess extends Database, AuditedDeps, InstanceSecrets, SecretSettings {
  /** The service's public URL for browsers, without a trailing slash. */
  readonly publicUrl: string
  /** False if passwords are turned off. */
  readonly passwordSignIn: boolean
  readonly allowedRepositoryHosts: AllowedHosts
  readonly allowedHookHosts: readonly string[]
}

/**
 * Opens the configured database, or this folder's embedded one, runs the work and closes the
 * database.
 * @throws ConfigError if a setting is invalid, or a driver error, which `explainError` converts
 *   into a sentence
 */
export async function withDatabaseAccess<T>(
  place: CommandPlace,
  work: (access: DatabaseAccess) => Promise<T>,
): Promise<T> {
  const resolved = await resolveEnvironment(place, 'start')
  try {
    const settings = readEnv(Settings, resolved.env)
    const running = resolved.embedded ? await findPublicUrl(resolved.stateDir) : null
    if (resolved.embedded) await migrateDatabase({ url: settings.DATABASE_URL })
    const database = openDatabase({ url: settings.DATABASE_URL, maxConnections: 2, onError: () => {} })
    try {
      const secret = settings.CORRIGENDA_SECRET
      const previousSecret = settings.CORRIGENDA_SECRET_PREVIOUS ?? null
      const secrets = await openInstance(database, { secret, previousSecret })
      return await work({
        ...database,
        audit: COMMAND_LINE,
        ...secrets,
        secret,
        previousSecret,
        publicUrl:
          settings.PUBLIC_URL?.replace(/\/+$/, '') ?? running ?? `http://localhost:${resolved.env.PORT || 8080}`,
        passwordSignIn: settings.PASSWORD_SIGN_IN === 'true',
        allowedRepositoryHosts: toAllowedHosts(settings),
        allowedHookHosts: settings.ALLOWED_HOOK_HOSTS,
      })
    } finally {
      await database.close()
    }
  } finally {
    await resolved.close()
  }
}
