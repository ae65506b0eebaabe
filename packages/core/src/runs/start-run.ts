import type { AgentJobSource, RunPolicyFile, RunSource } from '@corrigenda/contracts'
import type { Database } from '../db/open-database.ts'
import { appendEvent } from '../job-record/append-event.ts'
import { writeFenced } from '../leases/write-fenced.ts'
import { type Fence, RUNS } from './fence.ts'

/**
 * Records that the checkout is ready. Pins the base commit, the repository's policy files and the
 * sources, and shows the agent's branch and the sources on the job.
 * @throws LostLeaseError
 */
export function startRun(
  deps: Pick<Database, 'prisma'>,
  fence: Fence,
  input: {
    baseBranch: string
    baseCommit: string
    branch: string
    isContinuing?: boolean
    /** The repository's policy files, which apply to the run from now on. */
    policyFiles?: readonly RunPolicyFile[]
    /** The sources that the run reads, pinned to commits. Omitted: they stay as they are. */
    sources?: readonly RunSource[]
  },
): Promise<void> {
  const { policyFiles = [], sources } = input
  return writeFenced(deps, RUNS, fence, async (tx) => {
    await tx.run.update({
      where: { id: fence.runId },
      data: {
        ...{ baseBranch: input.baseBranch, baseCommit: input.baseCommit },
        ...(policyFiles.length > 0 ? { policyFiles: [...policyFiles] } : {}),
        ...(sources === undefined ? {} : { sources: [...sources] }),
      },
    })
    await tx.job.update({
      where: { id: fence.jobId },
      data: {
        phase: 'editing',
        ref: input.branch,
        // A follow-up starts at the tip of the job's branch, but the pull request keeps its base.
        ...(input.isContinuing === true ? {} : { baseCommit: input.baseCommit }),
        ...(sources === undefined ? {} : { sources: sources.map(toShown) }),
        updatedAt: new Date(),
      },
    })
    const { baseBranch, baseCommit } = input
    await appendEvent(tx, fence.jobId, { type: 'checkout.ready', data: { baseBranch, baseCommit } })
    for (const { path, blob } of policyFiles) {
      await appendEvent(tx, fence.jobId, { type: 'policy.read', data: { path, blob } })
    }
  })
}

const toShown = ({ name, repository, ref, commit, baseCommit }: RunSource): AgentJobSource => ({
  ...{ name, repository, ref, commit, baseCommit },
})
