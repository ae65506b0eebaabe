import { type Database, migrateDatabase, openDatabase } from '@corrigenda/core/db'
import { deriveSecrets, ensureInstance } from '@corrigenda/core/instance'
import { hosts, postgresUrl, readEnv } from '@corrigenda/core/runtime'
import { z } from 'zod'
import type { CommandPlace } from './command-context.ts'
import { resolveEnvironment } from './resolve-environment.ts'

const Settings = z.object({
  DATABASE_URL: postgresUrl,
  CORRIGENDA_SECRET: z
    .string('is required. Use the same value as the API.')
    .min(32, 'must have at least 32 characters'),
  ALLOWED_REPOSITORY_HOSTS: hosts.default(['github.com']),
  ALLOWED_HOOK_HOSTS: hosts.default([]),
  PUBLIC_URL: z.url('must be a URL').optional(),
})

/** Dependencies of commands that use the database directly. */
export interface DatabaseAccess extends Database {
  readonly keyPepper: Buffer
  readonly webhookKey: Buffer
  readonly authKey: Buffer
  /** The service's public URL for browsers, without a trailing slash. */
  readonly publicUrl: string
  readonly deployTargetKey: Buffer
  readonly allowedRepositoryHosts: readonly string[]
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
    if (resolved.embedded) await migrateDatabase({ url: settings.DATABASE_URL })
    const database = openDatabase({ url: settings.DATABASE_URL, maxConnections: 2, onError: () => {} })
    try {
      const secrets = deriveSecrets(settings.CORRIGENDA_SECRET)
      await ensureInstance(database, secrets.fingerprint)
      return await work({
        ...database,
        keyPepper: secrets.keyPepper,
        webhookKey: secrets.webhookKey,
        authKey: secrets.authKey,
        publicUrl: settings.PUBLIC_URL?.replace(/\/+$/, '') ?? `http://localhost:${resolved.env.PORT || 8080}`,
        deployTargetKey: secrets.deployTargetKey,
        allowedRepositoryHosts: settings.ALLOWED_REPOSITORY_HOSTS,
        allowedHookHosts: settings.ALLOWED_HOOK_HOSTS,
      })
    } finally {
      await database.close()
    }
  } finally {
    await resolved.close()
  }
}
