import { COMMAND_LINE } from '../../audit/audit-context.ts'
import type { Database } from '../../db/open-database.ts'
import { updateProjectSettings } from '../../projects/update-project-settings.ts'
import { createTestProject } from '../../test-support/open-test-database.ts'
import { claimDeployment } from '../claim-deployment.ts'
import { createDeployment } from '../create-deployment.ts'

export const TARGET_KEY = Buffer.alloc(32, 9)

/** Sets a deploy target for a project. */
export const createTestTarget = (database: Database, projectId: string) =>
  updateProjectSettings(
    { audit: COMMAND_LINE, ...database, allowedRepositoryHosts: [], allowedHookHosts: [], deployTargetKey: TARGET_KEY },
    {
      projectId,
      change: {
        deployTarget: { kind: 'hook', url: 'https://example.com/hook' },
      },
    },
  )

/** Creates deployments in a new project. */
export async function createTestDeployments(database: Database, count = 1, jobId: string | null = null) {
  const { id: projectId } = await createTestProject(database)
  await createTestTarget(database, projectId)
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) {
    ids.push(
      (await createDeployment({ ...database, audit: COMMAND_LINE }, { projectId, jobId, trigger: 'api' })).statusId,
    )
  }
  return { projectId, ids }
}

/** Claims the next deployment as a worker would. */
export const claimNext = (database: Database, leaseSeconds = 20) =>
  claimDeployment({ ...database, leaseSeconds, deployTargetKey: TARGET_KEY }, { owner: 'test' })

/** Expires a deployment's lease, as if its worker had died earlier. */
export const endDeploymentLease = (database: Database, statusId: string) =>
  database.prisma.$executeRaw`UPDATE deployments SET lease_until = now() - interval '1 second' WHERE id = ${statusId}`
