import { type Database, listPendingMigrations, openDatabase, readConnectionFacts } from '@corrigenda/core/db'
import { checkInstance, isWeakSecret, OTHER_SECRET } from '@corrigenda/core/instance'
import { type Env, postgresUrl, readEnv } from '@corrigenda/core/runtime'
import { z } from 'zod'
import { explainError } from '../terminal/explain-error.ts'
import type { Finding } from './finding.ts'

/**
 * Checks that the database responds, is migrated and matches the secret. Skips checks whose
 * settings are missing or invalid. Writes nothing. Reports an unreachable database as a single
 * finding.
 * @param andThen runs further checks on a migrated database
 */
export async function checkDatabase(env: Env, andThen: (database: Database) => Promise<Finding[]>): Promise<Finding[]> {
  const url = findSetting('DATABASE_URL', postgresUrl, env)
  if (url === null) return []
  const database = openDatabase({ url, maxConnections: 2, onError: () => {} })
  let step = 'Database'
  const findings: Finding[] = []
  const add = (text: string, state: Finding['state'] = 'ok') => findings.push({ subject: step, state, text })
  try {
    const { rows } = await database.pool.query<{ version: string }>(
      "SELECT current_setting('server_version') AS version",
    )
    add(`PostgreSQL ${rows[0]?.version}`)
    step = 'Migrations'
    const pending = await listPendingMigrations(database)
    if (pending.length > 0) {
      add(`${pending.length} pending. Run "corrigenda migrate".`, 'problem')
      return findings
    }
    add('up to date')
    step = 'Secret'
    const secret = findSetting('CORRIGENDA_SECRET', z.string().min(32), env)
    if (secret !== null) {
      const previousSecret = findSetting('CORRIGENDA_SECRET_PREVIOUS', z.string(), env)
      const bound = await checkInstance(database, { secret, previousSecret })
      add(SECRET_STATES[bound], bound === 'other' ? 'problem' : bound === 'previous' ? 'warning' : 'ok')
      if (isWeakSecret(secret)) {
        add('not random enough. Replace it with the output of "openssl rand -hex 32": see docs/running.md.', 'warning')
      }
    }
    step = 'Projects'
    return [...findings, ...(await andThen(database))]
  } catch (error) {
    add(explainError(error), 'problem')
    return findings
  } finally {
    await database.close()
  }
}

const SECRET_STATES = {
  fits: 'matches the database',
  previous:
    'the database still uses CORRIGENDA_SECRET_PREVIOUS. When every API and worker has both secrets, run "corrigenda secret rotate".',
  unbound: 'the database is not bound to a secret yet; the first start will bind it to this secret',
  other: OTHER_SECRET,
}

/**
 * Reads a single setting. Returns null if it is absent or invalid, because the settings checks
 * already report these problems.
 */
export function findSetting<S extends z.ZodType>(name: string, schema: S, env: Env): z.infer<S> | null {
  try {
    return readEnv(z.object({ [name]: schema }), env)[name] as z.infer<S>
  } catch {
    return null
  }
}

/** Checks that sessions reach Postgres directly, and that a pooler keeps the time limits. */
export async function checkConnections(env: Env, database: Pick<Database, 'pool'>): Promise<Finding[]> {
  const subject = 'Database connections'
  const own = findSetting('DATABASE_DIRECT_URL', postgresUrl.optional(), env)
  const url = own ?? findSetting('DATABASE_URL', postgresUrl, env)
  if (url === null) return []
  try {
    const { isDirect, isSame, hasLimits } = await readConnectionFacts(database, url)
    if (!isSame)
      return [{ subject, state: 'problem', text: 'DATABASE_DIRECT_URL and DATABASE_URL lead to different databases.' }]
    const warnings = [
      ...(isDirect
        ? []
        : [
            `${own ? 'DATABASE_DIRECT_URL' : 'DATABASE_URL'} leads to a connection pooler, so events may be late. Set DATABASE_DIRECT_URL to the address of PostgreSQL.`,
          ]),
      ...(hasLimits
        ? []
        : ['The connection pooler drops the time limits of statements. See docs/scaling.md#connection-poolers.']),
    ]
    return warnings.length > 0
      ? warnings.map((text): Finding => ({ subject, state: 'warning', text }))
      : [{ subject, state: 'ok', text: own ? 'pooled, and direct for sessions' : 'direct' }]
  } catch (error) {
    return [{ subject, state: 'problem', text: explainError(error) }]
  }
}
