import type { JobState } from '@corrigenda/contracts'
import type { Db, PrismaDeps } from '../db/open-database.ts'
import { toSqlState } from '../db/to-sql-state.ts'
import { Prisma } from '../generated/prisma/client.ts'
import {
  type JobFilter,
  type JobPosition,
  NEWEST_FIRST,
  toAfterCursor,
  toCursor,
  toJobCondition,
  toPage,
  toStateCondition,
} from './job-filter.ts'

/** Number of jobs whose texts a search reads with one statement. */
const WINDOW = 1_000
/** Number of characters of a prompt that a search reads. */
const SEARCHED = 100_000
/** Time after which a search returns what it has found so far, in ms. */
const SEARCH_MS = 1_000
/** Maximum number of matching jobs that a search returns for counting. */
const MAX_MATCHING = 10_000
/** Maximum number of matches in the index. More matches are found faster in the newest jobs. */
const MAX_INDEXED = 1_000
/** The index contains sequences of three letters or digits. In some locales, only of ASCII ones. */
const INDEXED = /[a-z0-9]{3}/i
const STATEMENT_TIMEOUT = '57014'

export interface SearchDeps extends PrismaDeps {
  /** Connections for searches, so that slow searches cannot delay other requests. */
  readonly search?: PrismaDeps
}

export interface JobSearch {
  readonly projectId: string
  /** Text in the title, the summary or a prompt, ignoring case. */
  readonly q: string
  readonly filter: JobFilter
  /** Default: all states. */
  readonly states?: readonly JobState[] | undefined
  readonly cursor?: string | undefined
  readonly limit: number
  readonly searchMs?: number
  readonly window?: number
}

/** A page of jobs, newest first. */
export interface FoundJobs {
  readonly ids: string[]
  readonly nextCursor: string | null
  /**
   * Jobs that contain the text, regardless of the filters. Null without a text. Incomplete if the
   * page was filled before all jobs were searched, or if there are more than 10,000.
   */
  readonly matching: { readonly ids: readonly string[]; readonly isComplete: boolean } | null
}

/**
 * Finds a page of a project's jobs that contain a text. A search reads the newest jobs, which is fast
 * for a frequent text, and then the index, which is fast for a rare one. If neither fills the page, it
 * continues with older jobs and stops after a second. Its page can therefore contain fewer jobs than
 * the limit, and even none, although there is a next page.
 * @throws AppError `invalid_request` when the cursor is malformed
 */
export async function searchJobs(deps: SearchDeps, search: JobSearch): Promise<FoundJobs> {
  const { projectId, q, filter, states, limit, searchMs = SEARCH_MS, window = WINDOW } = search
  const { createdAfter, createdBefore } = filter
  const { prisma } = deps.search ?? deps
  const deadline = performance.now() + searchMs
  const isInTime = toJobCondition({ createdAfter, createdBefore })
  const isInState = states ? Prisma.join(states.map(toStateCondition), ' OR ') : Prisma.sql`true`
  const isWanted = Prisma.sql`${toJobCondition(filter)} AND (${isInState})`
  const findWanted = (ids: readonly string[], after: Prisma.Sql, limit: number) => prisma.$queryRaw<JobPosition[]>`
    SELECT id, created_at AS "createdAt" FROM jobs
    WHERE id = ANY(${[...ids]}::text[]) AND ${isWanted} AND ${after} ${NEWEST_FIRST} LIMIT ${limit}`
  const toFound = (found: readonly JobPosition[], matching: FoundJobs['matching'], stoppedAt?: JobPosition) => {
    const { rows, nextCursor } = toPage(found, limit)
    return { ids: rows.map(({ id }) => id), nextCursor: stoppedAt ? toCursor(stoppedAt) : nextCursor, matching }
  }
  const wanted: JobPosition[] = []
  const matched: string[] = []
  let after = toAfterCursor(search.cursor)
  for (let isFirst = true; ; isFirst = false) {
    const read = await prisma.$queryRaw<JobPosition[]>`
      SELECT id, created_at AS "createdAt" FROM jobs
      WHERE project_id = ${projectId} AND ${isInTime} AND ${after} ${NEWEST_FIRST} LIMIT ${window}`
    const ids = read.map(({ id }) => id)
    const matches = await findMatches(prisma, ids, q)
    matched.push(...matches)
    wanted.push(...(await findWanted(matches, Prisma.sql`true`, limit + 1 - wanted.length)))
    const last = read.length < window ? undefined : read.at(-1)
    const isComplete = last === undefined && matched.length <= MAX_MATCHING
    const matching = { ids: matched.slice(0, MAX_MATCHING), isComplete }
    if (wanted.length > limit || !last) return toFound(wanted, matching)
    const leftMs = deadline - performance.now()
    if (leftMs <= 0) return toFound(wanted, matching, last)
    after = toAfterCursor(toCursor(last))
    const indexed = isFirst ? await findIndexedMatches({ prisma }, { projectId, text: q, limitMs: leftMs / 2 }) : null
    if (indexed === null) continue
    const start = Prisma.sql`${isInTime} AND ${toAfterCursor(search.cursor)}`
    return toFound(await findWanted(indexed, start, limit + 1), { ids: indexed, isComplete: true })
  }
}

/** Converts a text to a pattern for ILIKE. The text is literal, without wildcards. */
const toPattern = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`

/** Returns those jobs that contain the text. Reads the prompts through their jobs' index, never all prompts. */
async function findMatches(db: Pick<Db, '$queryRaw'>, ids: readonly string[], q: string): Promise<string[]> {
  const pattern = toPattern(q)
  const found = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM jobs WHERE id = ANY(${[...ids]}::text[]) AND (title ILIKE ${pattern} OR summary ILIKE ${pattern})
    UNION
    SELECT job_id FROM runs WHERE job_id = ANY(${[...ids]}::text[]) AND left(prompt, ${SEARCHED}) ILIKE ${pattern}`
  return found.map(({ id }) => id)
}

/**
 * Returns the ids of all jobs of a project whose title, summary or prompts contain a text, ignoring
 * case. Returns null if they cannot be found with the index: if the text is too short, frequent, or
 * consists of frequent parts, or if the database has no index.
 * @param input.limitMs maximum duration of the statement
 */
export async function findIndexedMatches(
  { prisma }: PrismaDeps,
  { projectId, text, limitMs }: { projectId: string; text: string; limitMs: number },
): Promise<string[] | null> {
  const timeout = Math.floor(limitMs)
  // A timeout of 0 would be no timeout.
  if (!INDEXED.test(text) || timeout <= 0) return null
  const pattern = toPattern(text)
  try {
    return await prisma.$transaction(async (tx) => {
      // Otherwise, Postgres may search for a frequent text in all jobs of the project, or of all
      // projects. The search index supports only bitmaps.
      const [{ exists }] = await tx.$queryRaw<[{ exists: boolean }]>`
        SELECT to_regclass('runs_by_text') IS NOT NULL AS exists, set_config('enable_seqscan', 'off', true),
          set_config('enable_indexscan', 'off', true), set_config('statement_timeout', ${String(timeout)}, true)`
      if (!exists) return null
      // The index does not contain active runs, of which there are few.
      const found = await tx.$queryRaw<{ id: string }[]>`
        (SELECT id FROM jobs WHERE project_id = ${projectId} AND (title ILIKE ${pattern} OR summary ILIKE ${pattern})
          LIMIT ${MAX_INDEXED})
        UNION ALL
        (SELECT job_id FROM runs WHERE project_id = ${projectId} AND NOT active AND prompt ILIKE ${pattern}
          LIMIT ${MAX_INDEXED})
        UNION ALL
        (SELECT job_id FROM runs WHERE project_id = ${projectId} AND active AND prompt ILIKE ${pattern}
          LIMIT ${MAX_INDEXED})`
      return found.length < MAX_INDEXED ? [...new Set(found.map(({ id }) => id))] : null
    })
  } catch (error) {
    if (toSqlState(error) === STATEMENT_TIMEOUT) return null
    throw error
  }
}

/**
 * Adds the new texts to the search indexes. Postgres collects them in a list and merges the list when
 * it is full, which delays the statement that fills it. Every worker may call this at any time.
 */
export async function mergeSearchIndex({ prisma }: PrismaDeps): Promise<void> {
  // Only the owner of an index may merge its list.
  await prisma.$executeRaw`
    SELECT gin_clean_pending_list(oid) FROM pg_class
    WHERE oid IN (to_regclass('runs_by_text'), to_regclass('jobs_by_text')) AND pg_has_role(relowner, 'USAGE')`
}
