import { timingSafeEqual } from 'node:crypto'
import type { AgentJob, KeyScope } from '@corrigenda/contracts'
import { openBatches } from '../db/open-batches.ts'
import type { Database } from '../db/open-database.ts'
import type { DatabaseMonitor } from '../db/open-monitor.ts'
import { queryPrepared } from '../db/query-prepared.ts'
import { type AgentJobRow, toJobColumns } from '../job-record/agent-job-row.ts'
import { toAgentJob } from '../job-record/to-agent-job.ts'
import { type JobProject, type JobProjectRow, toJobProject, toJobProjectSelect } from '../projects/job-project.ts'
import { hashSecret } from './hash-secret.ts'
import { findJobTokenParts, type JobTokenParts } from './job-token.ts'
import { findKeyParts, type ParsedKey } from './key-format.ts'

/** The authenticated caller. */
export interface Principal {
  readonly keyId: string
  readonly name: string
  readonly projectId: string
  readonly scopes: readonly KeyScope[]
  readonly allowedCidrs: readonly string[]
  /** The token that was presented instead of the key, or null. It allows only to read its job. */
  readonly token: JobTokenParts | null
}

/** The caller and what was read with it. Requests of one batch share this object. */
export interface KeyRead {
  readonly principal: Principal
  /** Null if no job was requested, or the key's project has no such job. */
  readonly job: AgentJob | null
  /** Null if it was not requested, or the key's project is deleted. */
  readonly project: JobProject | null
}

/** What to read together with a key, of the key's project. */
export interface KeyReadOptions {
  /** Default: no job. */
  readonly jobId?: string | null
  /** Reads the facts that a new job depends on. Default: false. */
  readonly withProject?: boolean
}

/**
 * Returns the caller for a presented key or job token, or null when it is malformed, unknown, revoked or expired.
 * Callers must not reveal the reason. Reads the rest with the same statement. The key's scopes and
 * addresses are not checked.
 *
 * Does not cache: every call is answered by a statement that starts after the call, so a revoked key
 * stops working immediately, and a job never returns to an older state.
 */
export type KeyReader = (presented: string, options?: KeyReadOptions) => Promise<KeyRead | null>

export interface KeyReaderDeps extends Pick<Database, 'pool' | 'prisma'> {
  readonly keyPepper: Buffer
  /** Ends statements that take too long. Default: none. */
  readonly monitor?: Pick<DatabaseMonitor, 'run'>
}

interface Wanted {
  readonly parts: ParsedKey | JobTokenParts
  readonly jobId: string | null
  readonly withProject: boolean
}

interface KeyRow {
  readonly keyId: string
  readonly keyName: string
  readonly projectId: string
  readonly secretHash: Buffer
  readonly scopes: KeyScope[]
  readonly allowedCidrs: string[]
  readonly expiresAt: Date | null
  readonly revokedAt: Date | null
  readonly lastUsedAt: Date | null
}

/** The columns of the job are null if no job was found. */
type Row = KeyRow &
  (AgentJobRow | { readonly id: null }) & { readonly place: number; readonly project?: JobProjectRow | null }

const BATCH = { size: 100, parallel: 2 }
const DUMMY_HASH = Buffer.alloc(32)
const LAST_USED_EVERY_MS = 60_000
const JOB_ID = /^job_[0-9a-z]{26}$/

/**
 * Postgres reuses the plan of this statement. It would plan it for each batch if it knew the lengths
 * of the lists, and it could read all jobs of a project if it knew that the project limits them.
 */
const toSelect = (columns: string, wanted: { readonly lists: readonly string[]; readonly names: string }) => `
  SELECT wanted.place::int, k.id AS "keyId", k.name AS "keyName", k.project_id AS "projectId",
    k.secret_hash AS "secretHash", k.scopes, k.allowed_cidrs AS "allowedCidrs", k.expires_at AS "expiresAt",
    k.revoked_at AS "revokedAt", k.last_used_at AS "lastUsedAt", ${toJobColumns('j')}${columns}
  FROM unnest(${['$1::text[]', '$2::text[]', ...wanted.lists].map((list) => `(SELECT ${list})`).join(', ')})
    WITH ORDINALITY AS wanted (key_id, job_id${wanted.names}, place)
  CROSS JOIN LATERAL (SELECT * FROM api_keys WHERE id = wanted.key_id OFFSET 0) AS k
  LEFT JOIN LATERAL (SELECT * FROM jobs WHERE id = wanted.job_id OFFSET 0) AS j ON j.project_id = k.project_id`

/** Most requests need no project. Their statement is planned and executed without its tables. */
const SELECT = toSelect('', { lists: [], names: '' })
const SELECT_WITH_PROJECT = toSelect(
  `, CASE WHEN wanted.with_project
    THEN (SELECT to_json(p) FROM (${toJobProjectSelect('projects.id = k.project_id')}) AS p) END AS project`,
  { lists: ['$3::bool[]'], names: ', with_project' },
)

/** Opens the reader of a process. Its calls share statements. */
export function openKeyReader(deps: KeyReaderDeps): KeyReader {
  const { pool, keyPepper, monitor = { run: (work) => work() } } = deps
  const noteUse = buildNoteUse(deps)

  const toRead = async ({ parts }: Wanted, row: Row | undefined, readAt: number): Promise<KeyRead | null> => {
    const token = 'secret' in parts ? null : parts
    const matches =
      'secret' in parts ? timingSafeEqual(hashSecret(keyPepper, parts.secret), row?.secretHash ?? DUMMY_HASH) : true
    const now = Date.now()
    if (!row || !matches || row.revokedAt || (row.expiresAt && row.expiresAt.getTime() <= now)) return null
    const isNoted = token !== null || (row.lastUsedAt && now - row.lastUsedAt.getTime() <= LAST_USED_EVERY_MS)
    if (!isNoted) await noteUse(row.keyId, now)
    const { keyId, keyName: name, projectId, allowedCidrs } = row
    const scopes = token === null ? row.scopes : row.scopes.filter((scope) => scope === 'jobs:read')
    return {
      principal: { keyId, name, projectId, scopes, allowedCidrs, token },
      job: row.id === null ? null : toAgentJob(row),
      project: row.project ? toJobProject(row.project, readAt) : null,
    }
  }
  const read = openBatches<Wanted, KeyRead | null>({
    ...BATCH,
    async read(inputs) {
      const values = [
        inputs.map(({ parts }) => ('secret' in parts ? parts.id : parts.keyId)),
        inputs.map(({ jobId }) => jobId),
      ]
      const projects = inputs.map(({ withProject }) => withProject)
      const readAt = performance.now()
      const rows = await monitor.run(() =>
        projects.includes(true)
          ? queryPrepared<Row>(pool, SELECT_WITH_PROJECT, [...values, projects])
          : queryPrepared<Row>(pool, SELECT, values),
      )
      const found = new Map(rows.map((row) => [row.place, row]))
      return inputs.map((input, n) => () => toRead(input, found.get(n + 1), readAt))
    },
  })
  return async (presented, { jobId = null, withProject = false } = {}) => {
    const parts = findKeyParts(presented) ?? findJobTokenParts(keyPepper, presented)
    if (parts === null) return null
    // A malformed id could make the statement of all others fail.
    const known = jobId !== null && JOB_ID.test(jobId) ? jobId : null
    return await read(`${presented} ${known} ${withProject}`, () => ({ parts, jobId: known, withProject }))
  }
}

/** Stores when a key was last used. Calls for the same key share one statement. */
function buildNoteUse({ prisma }: Pick<Database, 'prisma'>): (keyId: string, now: number) => Promise<unknown> {
  const running = new Map<string, Promise<unknown>>()
  return (id, now) => {
    const found = running.get(id)
    if (found) return found
    const noted = prisma.apiKey
      .updateMany({ where: { id, revokedAt: null }, data: { lastUsedAt: new Date(now) } })
      .finally(() => running.delete(id))
    running.set(id, noted)
    return noted
  }
}
