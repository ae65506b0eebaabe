import { FULL, type TestService } from '@corrigenda/worker/internal/e2e/test-support/open-test-service'

/** A job's state on the Git host. */
interface HostState {
  /** Branches whose name contains the job id, each with its tip. */
  readonly branches: readonly string[]
  readonly pulls: readonly {
    number: number
    state: string
    headRef: string
    headSha: string
    mergedAt: string | null
  }[]
}

/** The complete state of one job in the database and on the Git host. */
interface World extends HostState {
  readonly job: Readonly<Record<string, unknown>>
  readonly events: readonly { seq: number; type: string }[]
  readonly runs: readonly unknown[]
  readonly transcript: readonly unknown[]
  readonly files: readonly unknown[]
}

export async function readWorld(service: TestService, jobId: string): Promise<World> {
  const { prisma } = service.database
  const { events, runs, ...job } = await prisma.job.findUniqueOrThrow({
    where: { id: jobId },
    include: { events: { orderBy: { seq: 'asc' } }, runs: true },
  })
  const ofJob = { where: { run: { jobId } } }
  const transcript = await prisma.transcriptRow.findMany({ ...ofJob, orderBy: { seq: 'asc' } })
  const files = await prisma.runFile.findMany({ ...ofJob, orderBy: { path: 'asc' } })
  return { job, events, runs, transcript, files, ...(await readHost(service, jobId)) }
}

export async function readHost({ host }: TestService, jobId: string): Promise<HostState> {
  const format = '--format=%(refname:short) %(objectname)'
  const branches = await host.git(FULL, 'for-each-ref', format, `refs/heads/corrigenda/${jobId}*`)
  const pulls = host
    .pulls(FULL)
    .filter((pull) => pull.headRef.includes(jobId))
    .map(({ number, state, headRef, headSha, mergedAt }) => ({ number, state, headRef, headSha, mergedAt }))
  return { branches: branches.split('\n').filter(Boolean), pulls }
}
