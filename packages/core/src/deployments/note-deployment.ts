import type { DeployedCommit } from '@corrigenda/contracts'
import { toStorable } from '../base/to-storable.ts'
import type { Database } from '../db/open-database.ts'
import { writeFenced } from '../leases/write-fenced.ts'
import { DEPLOYMENTS, type DeploymentFence } from './deployment-lease.ts'
import type { DeploymentProgress } from './deployment-progress.ts'

export interface DeploymentNote {
  /** A step shown to users, without secrets. Serves as the summary until the next step. */
  readonly line?: string
  readonly commit?: DeployedCommit
  readonly url?: string
  readonly progress?: DeploymentProgress
}

/**
 * Maximum number of log lines per deployment. Bounds the log if the workflow's status keeps
 * changing.
 */
const MAX_LINES = 300
const MAX_LINE_LENGTH = 1_000

/**
 * Records a deployment step.
 * @throws LostLeaseError when the lease is lost; call this before an irreversible action
 */
export async function noteDeployment(
  deps: Pick<Database, 'prisma'>,
  fence: DeploymentFence,
  note: DeploymentNote,
): Promise<void> {
  const { line, commit, url, progress } = toStorable(note)
  await writeFenced(deps, DEPLOYMENTS, fence, async (tx) => {
    if (line !== undefined) {
      await tx.$executeRaw`
        UPDATE deployments SET logs = logs || jsonb_build_array(${toLogLine(line, new Date())}::text)
        WHERE id = ${fence.statusId} AND jsonb_array_length(logs) < ${MAX_LINES}`
    }
    await tx.deployment.update({
      where: { id: fence.statusId },
      data: {
        ...(line === undefined ? {} : { summary: line.slice(0, MAX_LINE_LENGTH).toWellFormed() }),
        ...(commit === undefined ? {} : { commit }),
        ...(url === undefined ? {} : { url }),
        ...(progress === undefined ? {} : { progress }),
      },
    })
  })
}

/** Returns the text as one line, prefixed with the time. */
export function toLogLine(text: string, at: Date): string {
  const line = text.replace(/\s+/g, ' ').trim().slice(0, MAX_LINE_LENGTH).toWellFormed()
  return `${at.toISOString()} ${line}`
}
