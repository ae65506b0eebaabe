import type { Database } from '../../chaos/stack/start-database.ts'

/** A table whose rows belong to a project, directly or through other tables. */
export interface OwnedTable {
  readonly name: string
  /** Names of the primary key's columns, quoted and separated by commas. */
  readonly key: string
  /** SQL condition for the rows of the projects whose ids are the array `$1`. */
  readonly condition: string
}

/** Tables whose rows change while a project works. For them, only the existence is compared. */
const CHANGING = ['projects', 'api_keys', 'project_spend']
/** The audit log outlives the projects. */
const KEPT = ['audit_events']

/** Finds all tables that reference projects, through any number of foreign keys. */
export async function listOwnedTables({ query }: Pick<Database, 'query'>): Promise<OwnedTable[]> {
  const references = await query<{ child: string; column: string; parent: string; target: string }>(`
    SELECT conrelid::regclass::text AS child, confrelid::regclass::text AS parent, c.attname AS column, p.attname AS target
    FROM pg_constraint
    JOIN pg_attribute c ON c.attrelid = conrelid AND c.attnum = conkey[1]
    JOIN pg_attribute p ON p.attrelid = confrelid AND p.attnum = confkey[1]
    WHERE contype = 'f' AND conrelid <> confrelid`)
  const conditions = new Map([['projects', 'id = ANY ($1::text[])']])
  for (const [parent, condition] of conditions) {
    for (const { child, column, target } of references.filter((one) => one.parent === parent)) {
      if (conditions.has(child)) continue
      conditions.set(child, `${column} IN (SELECT ${target} FROM ${parent} WHERE ${condition})`)
    }
  }
  const keys = await query<{ name: string; key: string }>(`
    SELECT indrelid::regclass::text AS name, string_agg(quote_ident(attname), ', ') AS key
    FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
    WHERE indisprimary GROUP BY 1`)
  const keyOf = new Map(keys.map(({ name, key }) => [name, key]))
  return [...conditions].map(([name, condition]) => ({ name, condition, key: keyOf.get(name) ?? '' }))
}

/**
 * Copies the keys and hashes of all rows of projects into a schema.
 * @returns the number of rows in each table
 */
export async function copyRows(
  { query }: Pick<Database, 'query'>,
  input: { tables: readonly OwnedTable[]; schema: string; projectIds: readonly string[] },
): Promise<Map<string, number>> {
  const { tables, schema, projectIds } = input
  await query(`CREATE SCHEMA ${schema}`)
  const counts = new Map<string, number>()
  for (const { name, key, condition } of tables) {
    // A statement with parameters cannot create a table.
    const ids = `ARRAY['${projectIds.join("', '")}']`
    await query(`CREATE TABLE ${schema}.${name} AS
      SELECT ${key}, md5(t::text) AS hash FROM public.${name} t WHERE ${condition.replaceAll('$1', ids)}`)
    const [row] = await query<{ n: number }>(`SELECT count(*)::int AS n FROM ${schema}.${name}`)
    counts.set(name, row?.n ?? 0)
  }
  return counts
}

/**
 * Returns the tables that still contain copied rows, or rows of the project that are newer than the
 * copy, with their number.
 */
export async function findRemaining(
  { query }: Pick<Database, 'query'>,
  input: { tables: readonly OwnedTable[]; schema: string; projectId: string },
): Promise<string[]> {
  const found: string[] = []
  const columns = await query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'project_id' AND table_name <> ALL ($1)`,
    [KEPT],
  )
  for (const { name } of columns) {
    const [row] = await query<{ n: number }>(`SELECT count(*)::int AS n FROM public.${name} WHERE project_id = $1`, [
      input.projectId,
    ])
    if (row && row.n > 0) found.push(`${name} (${row.n})`)
  }
  for (const { name, key } of input.tables) {
    const [row] = await query<{ n: number }>(
      `SELECT count(*)::int AS n FROM ${input.schema}.${name} JOIN public.${name} USING (${key})`,
    )
    if (row && row.n > 0) found.push(`${name} (${row.n})`)
  }
  return found
}

/** Returns the tables in which copied rows were removed or changed, with their number. */
export async function findChanged(
  { query }: Pick<Database, 'query'>,
  input: { tables: readonly OwnedTable[]; schema: string },
): Promise<string[]> {
  const found: string[] = []
  for (const { name, key } of input.tables) {
    const isSame = CHANGING.includes(name) ? 'true' : 'md5(now::text) = copy.hash'
    const [row] = await query<{ n: number }>(
      `SELECT count(*)::int AS n FROM ${input.schema}.${name} copy
       WHERE NOT EXISTS (SELECT FROM public.${name} now WHERE (${toList('now', key)}) = (${toList('copy', key)}) AND ${isSame})`,
    )
    if (row && row.n > 0) found.push(`${name} (${row.n})`)
  }
  return found
}

const toList = (table: string, key: string): string =>
  key
    .split(', ')
    .map((column) => `${table}.${column}`)
    .join(', ')
