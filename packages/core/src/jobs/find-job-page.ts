import type { Database, Db } from '../db/open-database.ts'
import type { JobModel, JobWhereInput } from '../generated/prisma/models/Job.ts'
import { findIndexedMatches, toPattern } from './find-indexed-matches.ts'
import { toAfterCursor, toCursor } from './job-cursor.ts'

/** Number of jobs whose texts a search reads with one statement. */
const WINDOW = 1_000
/** Number of characters of a prompt that a search reads. */
const SEARCHED = 100_000
/** Time after which a search returns what it has found so far, in ms. */
const SEARCH_MS = 1_000

/** Maximum number of matching jobs that a search returns for counting. */
const MAX_MATCHING = 10_000

const NEWEST_FIRST = [{ createdAt: 'desc' }, { id: 'desc' }] as const

export interface FindJobsDeps extends Pick<Database, 'prisma'> {
  /** Connections for searches, so that slow searches cannot delay other requests. */
  readonly search?: Pick<Database, 'prisma'>
}

export interface JobPageQuery {
  readonly projectId: string
  /** Bounds of the creation time. */
  readonly times?: readonly JobWhereInput[]
  readonly filters: readonly JobWhereInput[]
  /** Alternative filters. No job matches two of them. Default: no restriction. */
  readonly anyOf?: readonly JobWhereInput[] | undefined
  /** Text in the title, the summary or a prompt, ignoring case. */
  readonly q?: string | undefined
  readonly cursor?: string | undefined
  readonly limit: number
  readonly searchMs?: number
  readonly window?: number
}

export interface FoundJobPage {
  readonly rows: JobModel[]
  readonly nextCursor: string | null
  /**
   * Jobs that contain the text, regardless of the filters. Null without a text. Incomplete if the
   * page was filled before all jobs were searched, or if there are more than 10,000.
   */
  readonly matching: { readonly ids: readonly string[]; readonly isComplete: boolean } | null
}

/**
 * Returns a page of a project's jobs, newest first, and the cursor of the next page. A search reads
 * the newest jobs, which is fast for a frequent text, and then the index, which is fast for a rare
 * one. If neither fills the page, it continues with older jobs and stops after a second. Its page can
 * therefore contain fewer jobs than the limit, and even none, although there is a next page.
 * @throws AppError `invalid_request` when the cursor is malformed
 */
export async function findJobPage(deps: FindJobsDeps, query: JobPageQuery): Promise<FoundJobPage> {
  const { projectId, times = [], filters, anyOf, q, limit, searchMs = SEARCH_MS, window = WINDOW } = query
  const toStart = (cursor: string | undefined) => (cursor === undefined ? [] : [toAfterCursor(cursor)])
  const toPage = (rows: JobModel[], matching: FoundJobPage['matching']) => {
    const last = rows.length > limit ? rows[limit - 1] : undefined
    return { rows: rows.slice(0, limit), nextCursor: last ? toCursor(last.createdAt, last.id) : null, matching }
  }
  if (!q) {
    const found: JobModel[] = []
    // One statement for each alternative, because each has its own index, and Postgres would read all
    // jobs to find rare ones of several.
    for (const alternative of anyOf ?? [{}]) {
      const where = { AND: [{ projectId }, ...times, ...filters, alternative, ...toStart(query.cursor)] }
      found.push(...(await findNewest(deps, where, { take: limit + 1, isFiltered: filters.length > 0 })))
    }
    return toPage(found.sort(newestFirst), null)
  }
  const { prisma } = deps.search ?? deps
  const deadline = performance.now() + searchMs
  const rows: JobModel[] = []
  const wanted = anyOf === undefined ? filters : [...filters, { OR: [...anyOf] }]
  const matched: string[] = []
  let { cursor } = query
  let isFirst = true
  for (;;) {
    const read = await prisma.job.findMany({
      where: { AND: [{ projectId }, ...times, ...toStart(cursor)] },
      orderBy: [...NEWEST_FIRST],
      take: window,
      select: { id: true, createdAt: true },
    })
    const ids = await findMatching(
      prisma,
      read.map(({ id }) => id),
      q,
    )
    matched.push(...ids)
    const isLast = read.length < window
    const where = { AND: [{ id: { in: ids } }, ...wanted] }
    const take = limit + 1 - rows.length
    rows.push(...(await prisma.job.findMany({ where, orderBy: [...NEWEST_FIRST], take })))
    const last = read.at(-1)
    const found = { ids: matched.slice(0, MAX_MATCHING), isComplete: isLast && matched.length <= MAX_MATCHING }
    if (rows.length > limit) return toPage(rows, found)
    if (!last || isLast) return { rows, nextCursor: null, matching: found }
    cursor = toCursor(last.createdAt, last.id)
    const leftMs = deadline - performance.now()
    if (leftMs <= 0) return { rows, nextCursor: cursor, matching: found }
    if (!isFirst) continue
    isFirst = false
    const limitMs = leftMs / 2
    const matching = await findIndexedMatches({ prisma }, { projectId, text: q, limitMs })
    if (matching === null) continue
    const all = { AND: [{ id: { in: matching } }, ...times, ...wanted, ...toStart(query.cursor)] }
    const page = await prisma.job.findMany({ where: all, orderBy: [...NEWEST_FIRST], take: limit + 1 })
    return toPage(page, { ids: matching, isComplete: true })
  }
}

/**
 * Returns the newest jobs. With a filter, it finds their ids in the index of the list first, because
 * Postgres would read all jobs to find rare ones.
 */
async function findNewest(
  { prisma }: Pick<Database, 'prisma'>,
  where: JobWhereInput,
  { take, isFiltered }: { take: number; isFiltered: boolean },
): Promise<JobModel[]> {
  const page = { where, orderBy: [...NEWEST_FIRST], take }
  if (!isFiltered) return prisma.job.findMany(page)
  const ids = await prisma.job.findMany({ ...page, select: { id: true } })
  return prisma.job.findMany({ where: { id: { in: ids.map(({ id }) => id) } } })
}

const newestFirst = (a: JobModel, b: JobModel): number =>
  b.createdAt.getTime() - a.createdAt.getTime() || (a.id < b.id ? 1 : -1)

/** Reads the prompts through their jobs' index, never all prompts. */
async function findMatching(db: Pick<Db, '$queryRaw'>, ids: readonly string[], q: string): Promise<string[]> {
  const pattern = toPattern(q)
  const found = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM jobs WHERE id = ANY(${[...ids]}::text[]) AND (title ILIKE ${pattern} OR summary ILIKE ${pattern})
    UNION
    SELECT job_id FROM runs WHERE job_id = ANY(${[...ids]}::text[]) AND left(prompt, ${SEARCHED}) ILIKE ${pattern}`
  return found.map(({ id }) => id)
}
