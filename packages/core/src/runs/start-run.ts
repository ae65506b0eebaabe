import { type AgentJobSource, type JobPhase, RunPolicyFile, RunSource } from '@corrigenda/contracts'
import { z } from 'zod'
import type { PrismaDeps } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import type { Fence } from './fence.ts'
import { toJson, writeRun } from './write-run.ts'

/**
 * Records that the checkout is ready. Pins the base commit, the repository's policy files and the
 * sources, and shows the agent's branch and the sources on the job.
 * @throws LostLeaseError
 */
export async function startRun(
  { prisma }: PrismaDeps,
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
  const { baseBranch, baseCommit, branch, policyFiles = [], sources } = input
  await writeRun(prisma, fence, {
    run: Prisma.join([
      Prisma.sql`base_branch = ${baseBranch}, base_commit = ${baseCommit}`,
      ...(policyFiles.length > 0 ? [Prisma.sql`policy_files = ${toJson(policyFiles)}`] : []),
      ...(sources === undefined ? [] : [Prisma.sql`sources = ${toJson(sources)}`]),
    ]),
    job: Prisma.join([
      Prisma.sql`phase = 'editing', ref = ${branch}`,
      // A follow-up starts at the tip of the job's branch, but the pull request keeps its base.
      ...(input.isContinuing === true ? [] : [Prisma.sql`base_commit = ${baseCommit}`]),
      ...(sources === undefined ? [] : [Prisma.sql`sources = ${toJson(sources.map(toShown))}`]),
    ]),
    events: [
      { type: 'checkout.ready', data: { baseBranch, baseCommit } },
      ...policyFiles.map(({ path, blob }) => ({ type: 'policy.read', data: { path, blob } }) as const),
    ],
  })
}

const toShown = ({ name, repository, ref, commit, baseCommit, note }: RunSource): AgentJobSource => ({
  name,
  repository,
  ref,
  commit,
  baseCommit,
  note: note ?? null,
})

/**
 * Parses the `runs.policy_files` column. Null yields an empty list.
 * @throws ZodError for rules that this version does not support, because ignoring them would relax
 * the policy
 */
export const toPolicyFiles = (stored: unknown): RunPolicyFile[] => z.array(RunPolicyFile).parse(stored ?? [])

/**
 * Parses the `runs.sources` column. Null: the sources are not pinned.
 * @throws ZodError for a source of a newer version, which this version could read or publish from
 * differently
 */
export const toRunSources = (stored: unknown): RunSource[] | null => z.array(RunSource).nullable().parse(stored)

/** @throws LostLeaseError */
export async function setPhase({ prisma }: PrismaDeps, fence: Fence, phase: JobPhase): Promise<void> {
  await writeRun(prisma, fence, {
    job: Prisma.sql`phase = ${phase}::job_phase`,
    events: [{ type: 'phase.changed', data: { phase } }],
  })
}
