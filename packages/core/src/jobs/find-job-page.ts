import type { Database, Db } from '../db/open-database.ts'
import type { JobModel, JobWhereInput } from '../generated/prisma/models/Job.ts'
import { toAfterCursor, toCursor } from './job-cursor.ts'

/** Number of jobs whose texts a search reads with one statement. */
const WINDOW = 1_000
/** Number of characters of a prompt that a search reads. */
const SEARCHED = 100_000
/** Time after which a search returns what it has found so far, in ms. */
const SEARCH_MS = 1_000

const NEWEST_FIRST = [{ createdAt: 'desc' }, { id: 'desc' }] as const

export interface FindJobsDeps extends Pick<Database, 'prisma'> {
  /** Connections for searches, so that slow searches cannot delay other requests. */
  readonly searchPrisma?: Database['prisma']
}

export interface JobPageQuery {
  readonly projectId: string
  /** Bounds of the creation time. */
  readonly times?: readonly JobWhereInput[]
  readonly filters: readonly JobWhereInput[]
  /** Text in the title, the summary or a prompt, ignoring case. */
  readonly q?: string | undefined
  readonly cursor?: string | undefined
  /** Number of jobs to omit before the page. Not supported by searches. */
  readonly skip?: number
  readonly limit: number
  readonly searchMs?: number
  readonly window?: number
}

/**
 * Returns a page of a project's jobs, newest first, and the cursor of the next page. A search reads
 * the jobs in windows and stops after a second. Its page can therefore contain fewer jobs than the
 * limit, and even none, although there is a next page.
 * @throws AppError `invalid_request` when the cursor is malformed
 */
export async function findJobPage(
  { prisma, searchPrisma = prisma }: FindJobsDeps,
  query: JobPageQuery,
): Promise<{ rows: JobModel[]; nextCursor: string | null }> {
  const { projectId, times = [], filters, q, skip = 0, limit, searchMs = SEARCH_MS, window = WINDOW } = query
  const toStart = (cursor: string | undefined) => (cursor === undefined ? [] : [toAfterCursor(cursor)])
  const toPage = (rows: JobModel[]) => {
    const last = rows[limit - 1]
    return { rows: rows.slice(0, limit), nextCursor: last ? toCursor(last.createdAt, last.id) : null }
  }
  if (!q) {
    const where = { AND: [{ projectId }, ...times, ...filters, ...toStart(query.cursor)] }
    const rows = await prisma.job.findMany({ where, orderBy: [...NEWEST_FIRST], skip, take: limit + 1 })
    return rows.length > limit ? toPage(rows) : { rows, nextCursor: null }
  }
  const deadline = performance.now() + searchMs
  const rows: JobModel[] = []
  let { cursor } = query
  for (;;) {
    const read = await searchPrisma.job.findMany({
      where: { AND: [{ projectId }, ...times, ...toStart(cursor)] },
      orderBy: [...NEWEST_FIRST],
      take: window,
      select: { id: true, createdAt: true },
    })
    const ids = await findMatching(
      searchPrisma,
      read.map(({ id }) => id),
      q,
    )
    const where = { AND: [{ id: { in: ids } }, ...filters] }
    const take = limit + 1 - rows.length
    rows.push(...(await searchPrisma.job.findMany({ where, orderBy: [...NEWEST_FIRST], take })))
    const last = read.at(-1)
    if (rows.length > limit) return toPage(rows)
    if (!last || read.length < window) return { rows, nextCursor: null }
    cursor = toCursor(last.createdAt, last.id)
    if (performance.now() >= deadline) return { rows, nextCursor: cursor }
  }
}

/** Reads the prompts through their jobs' index, never all prompts. */
async function findMatching(db: Pick<Db, '$queryRaw'>, ids: readonly string[], q: string): Promise<string[]> {
  // The text is literal, without wildcards.
  const pattern = `%${q.replace(/[\\%_]/g, '\\$&')}%`
  const found = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM jobs WHERE id = ANY(${[...ids]}::text[]) AND (title ILIKE ${pattern} OR summary ILIKE ${pattern})
    UNION
    SELECT job_id FROM runs WHERE job_id = ANY(${[...ids]}::text[]) AND left(prompt, ${SEARCHED}) ILIKE ${pattern}`
  return found.map(({ id }) => id)
}
