import { getConnection } from '@corrigenda/core/connection-checks'
import type { Database } from '@corrigenda/core/db'
import { toSealingKeys } from '@corrigenda/core/instance'
import { openLog } from '@corrigenda/core/runtime'
import { buildGitAccess } from '../config/build-git-hosts.ts'
import type { WorkerConfig } from '../config/config.ts'
import { forProject } from '../git-host/git-access.ts'
import { type ConnectionResult, checkConnection } from './check-connection.ts'

const LIMIT_MS = 60_000

/**
 * Checks a project's repository connection from a process other than a worker, with the credential
 * its jobs would use.
 * @throws Error if the Git host does not respond within a minute; database errors
 */
export async function checkProjectConnection(
  config: WorkerConfig,
  { prisma }: Pick<Database, 'prisma'>,
  projectId: string,
): Promise<ConnectionResult> {
  const { deployTargetKey } = toSealingKeys(config)
  const log = openLog({ level: 'silent', secrets: [] })
  const deps = forProject({ ...buildGitAccess(config, { prisma, log }), log }, projectId)
  const connection = await getConnection({ prisma, deployTargetKey }, projectId)
  const signal = AbortSignal.timeout(LIMIT_MS)
  try {
    return await checkConnection(deps, connection, { report: async () => {}, signal })
  } catch (error) {
    if (signal.aborted) throw new Error('The Git host did not respond within a minute.')
    throw error
  }
}
