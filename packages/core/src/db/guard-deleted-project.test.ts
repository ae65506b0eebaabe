import { expect, test } from 'vitest'
import { createTestRun } from '../test-support/create-test-run.ts'
import { createTestProject, openTestDatabase } from '../test-support/open-test-database.ts'
import type { Database } from './open-database.ts'

/** Tables without the guard. Their rows are removed with the row of the project, or are kept. */
const UNGUARDED = ['audit_events', 'project_spend', 'saved_prompts', 'source_credentials', 'source_reads']
/** Tables that are checked once for each statement, after it has inserted the rows. */
const PER_STATEMENT = ['jobs', 'runs']

const markDeleted = ({ pool }: Database, id: string) =>
  pool.query('UPDATE projects SET deleted_at = now() WHERE id = $1', [id])
const refusal = (id: string) => ({ code: '23503', message: `project ${id} is deleted` })

test('no row can be inserted for a deleted project, in all tables that are checked for each row', async () => {
  const database = openTestDatabase()
  const { id } = await createTestProject(database)
  await markDeleted(database, id)
  const { rows } = await database.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = current_schema() AND column_name = 'project_id' AND table_name <> ALL ($1)`,
    [[...UNGUARDED, ...PER_STATEMENT]],
  )
  expect(rows.length).toBeGreaterThanOrEqual(10)
  for (const { name } of rows) {
    // The guard is executed before the constraints, so that the row can be incomplete.
    const insert = database.pool.query(`INSERT INTO ${name} (project_id) VALUES ($1)`, [id])
    await expect(insert, name).rejects.toMatchObject(refusal(id))
  }
})

test.each([
  ['jobs', "'id', t.id || 'x'"],
  ['runs', "'id', t.id || 'x', 'seq', 2, 'active', false, 'ended_at', now()"],
])('a statement that inserts into %s for a deleted project and others fails as a whole', async (table, changes) => {
  const database = openTestDatabase()
  const [live, deleted] = [await createTestRun(database), await createTestRun(database)]
  /** Inserts a row for each of the projects. */
  const insert = (...projects: string[]) =>
    database.pool.query(
      `INSERT INTO ${table} SELECT filled.* FROM ${table} t, jsonb_populate_record(t, jsonb_build_object(${changes})) filled
       WHERE t.project_id = ANY ($1)`,
      [projects],
    )
  const count = async () =>
    (await database.pool.query(`SELECT count(*)::int FROM ${table} WHERE project_id = $1`, [live.projectId])).rows[0]
      .count
  await markDeleted(database, deleted.projectId)
  await expect(insert(deleted.projectId)).rejects.toMatchObject(refusal(deleted.projectId))
  await expect(insert(live.projectId, deleted.projectId)).rejects.toMatchObject(refusal(deleted.projectId))
  expect(await count()).toBe(1)
  await insert(live.projectId)
  expect(await count()).toBe(2)
})
