import { type Database, readConnectionFacts } from '@corrigenda/core/db'
import { type Env, postgresUrl } from '@corrigenda/core/runtime'
import { explainError } from '../terminal/explain-error.ts'
import { findSetting } from './check-database.ts'
import type { Finding } from './finding.ts'

const subject = 'Database connections'

/** Checks that sessions reach Postgres directly, and that a pooler keeps the time limits. */
export async function checkConnections(env: Env, database: Pick<Database, 'pool'>): Promise<Finding[]> {
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
