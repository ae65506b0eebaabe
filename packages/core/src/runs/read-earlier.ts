import type { RunPolicyFile } from '@corrigenda/contracts'
import type { Db } from '../db/open-database.ts'
import { Prisma } from '../generated/prisma/client.ts'
import type { JobModel } from '../generated/prisma/models/Job.ts'
import { FrozenPublish } from './freeze-run.ts'
import { toPolicyFiles } from './start-run.ts'

/** Follow-ups that a claim reads. The model's instructions contain fewer. */
const MAX_EARLIER_PROMPTS = 50
/** Maximum length of an earlier prompt. A follow-up's model receives less of it. */
const MAX_EARLIER = 20_000

/** Context that a follow-up continues from. */
export interface Earlier {
  /** The first prompt and the newest follow-ups, oldest first, each up to MAX_EARLIER characters. */
  readonly prompts: readonly string[]
  /** The agent's last summary. */
  readonly summary: string | null
  /**
   * The pushed branch and its pull request's base. Null if no branch was pushed, in which case the
   * follow-up starts like a first run.
   */
  readonly branch: {
    readonly name: string
    readonly base: string
    readonly baseCommit: string | null
    readonly pullNumber: number | null
    /** The repository's policy files when work on the branch started. */
    readonly policyFiles: readonly RunPolicyFile[]
  } | null
  /**
   * Commits that earlier runs may have pushed, but not recorded, before they were cancelled or
   * failed. A branch at one of these commits contains no work that must be kept.
   */
  readonly abandoned: readonly { readonly branch: string; readonly commit: string }[]
}

/**
 * Reads what a follow-up continues from.
 * @param seq number of the follow-up's run
 * @throws ZodError for stored values that this version does not support
 */
export async function readEarlier(tx: Db, job: JobModel, seq: number): Promise<Earlier> {
  const before = { jobId: job.id, seq: { lt: seq } }
  const prompts = await listEarlierPrompts(tx, job.id, seq)
  const pushed = await tx.run.findFirst({
    where: { ...before, frozen: { not: Prisma.DbNull }, openingAt: { not: null } },
    orderBy: { seq: 'desc' },
    select: { frozen: true },
  })
  const began =
    job.baseCommit === null
      ? null
      : await tx.run.findFirst({
          where: { ...before, baseCommit: job.baseCommit },
          orderBy: { seq: 'asc' },
          select: { policyFiles: true },
        })
  const publish = pushed === null ? null : FrozenPublish.parse(pushed.frozen)
  const policyFiles = toPolicyFiles(began?.policyFiles)
  const branch =
    publish === null || job.headCommit === null
      ? null
      : {
          name: publish.branch,
          base: publish.baseBranch,
          baseCommit: job.baseCommit,
          pullNumber: job.prNumber,
          policyFiles,
        }
  return {
    prompts,
    summary: job.summary,
    branch,
    abandoned: branch === null ? await listAbandoned(tx, job.id, seq) : [],
  }
}

/** Reads only two fields of each frozen change, which also contains the text of a pull request. */
function listAbandoned(tx: Db, jobId: string, seq: number): Promise<Earlier['abandoned'][number][]> {
  return tx.$queryRaw`
    SELECT frozen ->> 'branch' AS branch, frozen ->> 'commit' AS commit FROM runs
    WHERE job_id = ${jobId} AND seq < ${seq} AND frozen IS NOT NULL ORDER BY seq`
}

/**
 * Returns the first prompt and the newest messages before a run, oldest first. The database truncates
 * them.
 */
async function listEarlierPrompts(tx: Db, jobId: string, seq: number): Promise<string[]> {
  const first = await tx.$queryRaw<{ prompt: string }[]>`
    SELECT left(prompt, ${MAX_EARLIER}) AS prompt FROM runs
    WHERE job_id = ${jobId} AND seq < ${seq} AND kind <> 'message' ORDER BY seq LIMIT 1`
  const newest = await tx.$queryRaw<{ prompt: string }[]>`
    SELECT left(m.prompt, ${MAX_EARLIER}) AS prompt FROM job_messages m JOIN runs r ON r.id = m.run_id
    WHERE m.job_id = ${jobId} AND r.seq < ${seq}
    ORDER BY m.created_at DESC, m.id DESC LIMIT ${MAX_EARLIER_PROMPTS}`
  return [...first, ...newest.reverse()].map(({ prompt }) => prompt)
}
