import type { Stack } from '../stack/open-stack.ts'

/** A job's state in the database and on the Git host, as strings that can be compared. */
export interface JobSnapshot {
  /** Rows as JSON, by table. */
  readonly rows: ReadonlyMap<string, string>
  readonly pulls: number
  /** Commit at the tip of the job's branch. Empty if the branch does not exist. */
  readonly branch: string
}

const QUERIES: Readonly<Record<string, string>> = {
  jobs: 'SELECT to_jsonb(t) AS row FROM jobs t WHERE id = $1',
  runs: 'SELECT to_jsonb(t) AS row FROM runs t WHERE job_id = $1',
  job_events: 'SELECT to_jsonb(t) AS row FROM job_events t WHERE job_id = $1 ORDER BY seq',
  transcript_rows:
    'SELECT to_jsonb(t) AS row FROM transcript_rows t JOIN runs ON runs.id = t.run_id WHERE runs.job_id = $1 ORDER BY t.seq',
  run_files:
    'SELECT to_jsonb(t) AS row FROM run_files t JOIN runs ON runs.id = t.run_id WHERE runs.job_id = $1 ORDER BY path',
}

export async function snapshotJob(
  { database, host }: Pick<Stack, 'database' | 'host'>,
  job: string,
  repository: string,
): Promise<JobSnapshot> {
  const rows = new Map<string, string>()
  for (const [table, sql] of Object.entries(QUERIES)) rows.set(table, JSON.stringify(await database.query(sql, [job])))
  const branch = `corrigenda/${job}`
  return {
    rows,
    pulls: host.pulls(repository).filter((pull) => pull.headRef === branch).length,
    branch: (await host.git(repository, 'for-each-ref', '--format=%(objectname)', `refs/heads/${branch}`)).trim(),
  }
}

const CHANGED_BY_CLAIMS = new Set(['jobs', 'runs', 'job_events'])

/**
 * Returns the differences between two snapshots. A branch may be deleted, but not created or moved.
 * @param options.isClaimed true if a successor holds the lease. Only new claims are then allowed.
 */
export function compareSnapshots(
  before: JobSnapshot,
  after: JobSnapshot,
  options: { isClaimed: boolean } = { isClaimed: false },
): string[] {
  const differing = [...before.rows.keys()].filter((table) => after.rows.get(table) !== before.rows.get(table))
  const found = differing
    .filter((table) => !(options.isClaimed && CHANGED_BY_CLAIMS.has(table)))
    .map((table) => `wrote to ${table}`)
  if (options.isClaimed) {
    const added = listEvents(after).slice(listEvents(before).length)
    found.push(...added.filter((type) => type !== 'job.resumed').map((type) => `wrote the event ${type}`))
  }
  if (after.pulls !== before.pulls) found.push(`opened additional pull requests: ${after.pulls - before.pulls}`)
  if (after.branch !== before.branch && after.branch !== '') found.push('recreated its branch')
  return found
}

function listEvents({ rows }: JobSnapshot): string[] {
  const events = JSON.parse(rows.get('job_events') ?? '[]') as { row: { type: string } }[]
  return events.map(({ row }) => row.type)
}
