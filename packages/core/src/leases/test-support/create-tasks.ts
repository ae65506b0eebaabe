import type { Database } from '../../db/open-database.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { createTestDatabase, type TestDatabase } from '../../test-support/open-test-database.ts'
import { type ClaimQuery, claimNext } from '../claim-next.ts'
import type { Lease, LeaseTable } from '../lease-table.ts'

/** A test table whose column names differ from those of all production tables. */
export const TASKS: LeaseTable<Lease> = {
  name: 'tasks',
  idColumn: 'task_id',
  fenceColumn: 'claims',
  ownerColumn: 'held_by',
  writable: Prisma.sql`NOT done`,
  toLease: (held) => held,
}

const QUERY: ClaimQuery = {
  due: Prisma.sql`NOT tasks.done`,
  order: Prisma.sql`tasks.task_id`,
  set: Prisma.sql`note = 'claimed'`,
}

interface TaskRow {
  readonly task_id: string
  readonly claims: number
  readonly held_by: string | null
  readonly lease_until: Date | null
  readonly done: boolean
  readonly note: string
}

let opened: Promise<TestDatabase> | undefined

/** Opens a database with a table that contains tasks with these ids. Its tests share the database. */
export async function openTasks(ids: readonly string[]) {
  opened ??= createTable()
  const database = await opened
  const { pool, prisma } = database
  await pool.query('TRUNCATE tasks')
  await pool.query('INSERT INTO tasks (task_id) SELECT unnest($1::text[])', [ids])
  const claim = (query: Partial<ClaimQuery> = {}, lease: { owner?: string; leaseSeconds?: number } = {}) =>
    claimNext(prisma, TASKS, { ...QUERY, ...query }, { owner: 'test', leaseSeconds: 60, ...lease })
  return {
    database,
    claim,
    /** Claims the next task. Throws if no task is due. */
    async hold(leaseSeconds = 60): Promise<Lease> {
      const [held] = await claim({}, { leaseSeconds })
      if (!held) throw new Error('expected a due task')
      return held
    },
    async read(id: string): Promise<TaskRow> {
      const { rows } = await pool.query('SELECT * FROM tasks WHERE task_id = $1', [id])
      return rows[0]
    },
    expire: () => pool.query("UPDATE tasks SET lease_until = now() - interval '1 second'"),
  }
}

async function createTable(): Promise<TestDatabase> {
  const database = await createTestDatabase()
  await database.pool.query(`CREATE TABLE tasks (
    task_id text PRIMARY KEY, claims int NOT NULL DEFAULT 0, held_by text, lease_until timestamptz(3),
    done boolean NOT NULL DEFAULT false, note text NOT NULL DEFAULT ''
  )`)
  return database
}

/** Locks a row from another connection, as a process suspended inside a transaction would. */
export async function lockTask({ pool }: Database, id: string): Promise<() => Promise<void>> {
  const client = await pool.connect()
  await client.query('BEGIN')
  await client.query('SELECT 1 FROM tasks WHERE task_id = $1 FOR UPDATE', [id])
  return async () => {
    await client.query('ROLLBACK')
    client.release()
  }
}
