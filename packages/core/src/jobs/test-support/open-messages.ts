import { COMMAND_LINE } from '../../audit/audit-context.ts'
import { finishRun } from '../../runs/finish-run.ts'
import { recordPush } from '../../runs/record-push.ts'
import { claim, createTestRun, freeze, silent } from '../../test-support/create-test-run.ts'
import { openTestDatabase } from '../../test-support/open-test-database.ts'
import { getJob } from '../get-job.ts'
import { sendMessage } from '../send-message.ts'

/**
 * Creates a job, and returns helpers that send messages to it and work on its runs.
 * @param limit quota of messages per hour
 */
export async function openMessages(limit = 100) {
  const database = openTestDatabase(4)
  const run = await createTestRun(database)
  let woken = 0
  const queue = {
    wakeWorker: async () => {
      woken += 1
    },
  }
  const deps = {
    audit: COMMAND_LINE,
    prisma: database.prisma,
    pool: database.pool,
    queue,
    log: silent,
    messageQuota: { limit, windowSeconds: 3600 },
  }
  const key = { projectId: run.projectId, id: run.jobId }
  const send = async (prompt: string, idempotencyKey: string | null = null) =>
    (await sendMessage(deps, { ...key, request: { prompt }, idempotencyKey })).job
  /** Claims this job's next run. Other tests have runs in the same database. */
  const claimNext = async () => {
    const next = await database.prisma.run.findFirst({ where: { jobId: run.jobId, active: true, leaseUntil: null } })
    return next && claim(database, next.id)
  }
  const publish = async (held: NonNullable<Awaited<ReturnType<typeof claim>>>) => {
    await freeze(database, held)
    await recordPush(database, held, { branch: 'b', commit: `c${held.runId}` })
    const pullRequest = { number: 1, url: `https://x/${run.jobId}`, branch: 'b', state: 'open', draft: false } as const
    await finishRun(database, held, { kind: 'changed', pullRequest })
  }
  const types = async () =>
    (await database.prisma.jobEvent.findMany({ where: { jobId: run.jobId }, orderBy: { seq: 'asc' } })).map(
      ({ type }) => type,
    )
  return {
    database,
    deps,
    run,
    key,
    woken: () => woken,
    send,
    claimNext,
    publish,
    types,
    read: () => getJob(database, key),
  }
}
