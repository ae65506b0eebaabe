import { toStorable } from '../base/to-storable.ts'
import type { Database } from '../db/open-database.ts'
import { appendEvent } from '../job-record/append-event.ts'
import { writeFenced } from '../leases/write-fenced.ts'
import { publishEvent } from '../webhook-events/publish-event.ts'
import { DEPLOYMENTS, type DeploymentFence } from './deployment-lease.ts'
import { toLogLine } from './note-deployment.ts'
import { toDeployment } from './to-deployment.ts'

/** A deployment's outcome with a one-sentence summary, which must not contain secrets. */
export interface DeploymentOutcome {
  readonly status: 'success' | 'failure'
  readonly summary: string
}

/**
 * Ends a deployment and adds an event to its job. Only the first caller succeeds.
 * @throws LostLeaseError
 */
export async function finishDeployment(
  deps: Pick<Database, 'prisma'>,
  fence: DeploymentFence,
  outcome: DeploymentOutcome,
): Promise<void> {
  const { status, summary } = toStorable(outcome)
  await writeFenced(deps, DEPLOYMENTS, fence, async (tx) => {
    // Uses the database clock, as createDeployment does. Worker clocks differ, and the end must not
    // precede the start.
    const [{ now }] = await tx.$queryRaw<[{ now: Date }]>`SELECT clock_timestamp() AS now`
    await tx.$executeRaw`
      UPDATE deployments SET logs = logs || jsonb_build_array(${toLogLine(summary, now)}::text) WHERE id = ${fence.statusId}`
    const ended = await tx.deployment.update({
      where: { id: fence.statusId },
      data: { status, summary, endedAt: now, leaseUntil: null, leaseOwner: null },
    })
    const { id, projectId, jobId, url } = ended
    if (jobId !== null) {
      await appendEvent(tx, jobId, { type: 'deployment.finished', data: { statusId: id, status, summary, url } })
    }
    await publishEvent(tx, { projectId, type: 'deployment.finished', data: { deployment: toDeployment(ended) } })
  })
}
