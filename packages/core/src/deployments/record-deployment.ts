import type { DeployedCommit } from '@corrigenda/contracts'
import { LostLeaseError } from '../base/errors.ts'
import { toStorable } from '../base/to-storable.ts'
import type { Db, PrismaDeps } from '../db/open-database.ts'
import { readDatabaseTime } from '../db/read-database-time.ts'
import { Prisma } from '../generated/prisma/client.ts'
import { appendEvent } from '../job-record/append-event.ts'
import { releaseLease } from '../leases/renew-lease.ts'
import { writeFenced } from '../leases/write-fenced.ts'
import { countEvent } from '../metrics/count-event.ts'
import { publishEvent } from '../webhook-events/publish-event.ts'
import { DEPLOYMENTS, type DeploymentFence, type DeploymentProgress } from './claim-deployment.ts'
import { DeploymentLogs, toDeployment } from './deployments.ts'

export interface DeploymentNote {
  /** A step shown to users, without secrets. Serves as the summary until the next step. */
  readonly line?: string
  readonly commit?: DeployedCommit
  readonly url?: string
  readonly progress?: DeploymentProgress
}

/** A deployment's outcome with a one-sentence summary, which must not contain secrets. */
export interface DeploymentOutcome {
  readonly status: 'success' | 'failure'
  readonly summary: string
}

/**
 * Maximum number of log lines per deployment before the line of its end. Bounds the log if the
 * workflow's status keeps changing.
 */
const MAX_LINES = 300
const MAX_LINE_LENGTH = 1_000

/**
 * Records a deployment step.
 * @throws LostLeaseError when the lease is lost; call this before an irreversible action
 */
export async function noteDeployment(deps: PrismaDeps, fence: DeploymentFence, note: DeploymentNote): Promise<void> {
  const { line, ...facts } = toStorable(note)
  await writeFenced(deps, DEPLOYMENTS, fence, async (tx) => {
    const data: Prisma.DeploymentUpdateInput = { ...facts }
    if (line !== undefined) {
      const logs = await readLogs(tx, fence)
      data.summary = line.slice(0, MAX_LINE_LENGTH).toWellFormed()
      if (logs.length < MAX_LINES) data.logs = [...logs, toLogLine(line, new Date())]
    }
    await tx.deployment.update({ where: { id: fence.statusId }, data })
  })
}

/**
 * Ends a deployment and adds an event to its job. Only the first caller succeeds.
 * @throws LostLeaseError
 */
export async function finishDeployment(
  deps: PrismaDeps,
  fence: DeploymentFence,
  outcome: DeploymentOutcome,
): Promise<void> {
  const { status, summary } = toStorable(outcome)
  const projectId = await writeFenced(deps, DEPLOYMENTS, fence, async (tx) => {
    // Uses the database clock, as createDeployment does. Worker clocks differ, and the end must not
    // precede the start.
    const endedAt = await readDatabaseTime(tx)
    const logs = [...(await readLogs(tx, fence)), toLogLine(summary, endedAt)]
    const ended = await tx.deployment.update({
      where: { id: fence.statusId },
      data: { status, summary, logs, endedAt, leaseUntil: null, leaseOwner: null },
    })
    const { id, jobId, url } = ended
    if (jobId !== null) {
      await appendEvent(tx, jobId, { type: 'deployment.finished', data: { statusId: id, status, summary, url } })
    }
    const data = { deployment: toDeployment(ended) }
    await publishEvent(tx, { projectId: ended.projectId, type: 'deployment.finished', data })
    return ended.projectId
  })
  countEvent('corrigenda_deployments_total', { projectId, status })
}

/**
 * Releases a deployment on shutdown. Another worker can claim it immediately, and the released
 * claim does not count as an attempt.
 * @throws LostLeaseError
 */
export async function releaseDeployment({ prisma }: PrismaDeps, fence: DeploymentFence): Promise<void> {
  const released = await releaseLease(prisma, DEPLOYMENTS, fence, Prisma.sql`handovers = handovers + 1`)
  if (!released) throw new LostLeaseError(fence.statusId)
}

async function readLogs(tx: Db, { statusId }: DeploymentFence): Promise<string[]> {
  const { logs } = await tx.deployment.findUniqueOrThrow({ where: { id: statusId }, select: { logs: true } })
  return DeploymentLogs.parse(logs)
}

/** Returns the text as one line, prefixed with the time. */
function toLogLine(text: string, at: Date): string {
  const line = text.replace(/\s+/g, ' ').trim().slice(0, MAX_LINE_LENGTH).toWellFormed()
  return `${at.toISOString()} ${line}`
}
