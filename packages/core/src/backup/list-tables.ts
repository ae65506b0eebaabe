import type pg from 'pg'

export interface Table {
  /** Quoted name without the schema. */
  readonly name: string
  /** Quoted names of the columns, separated by commas. */
  readonly columns: string
}

const NOT_OF_EXTENSION = (catalog: string) =>
  `NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = '${catalog}'::regclass AND d.objid = o.oid AND d.deptype = 'e')`

/** Lists the tables in the schema `public`, except the lists of migrations and of SQL files. */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `SELECT quote_ident(o.relname) AS name, string_agg(quote_ident(a.attname), ', ' ORDER BY a.attnum) AS columns
     FROM pg_class o JOIN pg_attribute a ON a.attrelid = o.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     WHERE o.relnamespace = 'public'::regnamespace AND o.relkind = 'r' AND o.relname NOT IN ('_prisma_migrations', 'sql_files')
       AND ${NOT_OF_EXTENSION('pg_class')}
     GROUP BY o.relname ORDER BY o.relname`,
  )
  return rows
}

/** Lists the sequences in the schema `public`, with their values; null for one that was not used yet. */
export async function listSequences(client: pg.ClientBase): Promise<{ name: string; value: string | null }[]> {
  const { rows } = await client.query<{ name: string; value: string | null }>(
    `SELECT quote_ident(sequencename) AS name, last_value::text AS value FROM pg_sequences
     WHERE schemaname = 'public' ORDER BY sequencename`,
  )
  return rows
}

/** Returns the names of the applied migrations, in order; null if the database has no such list. */
export async function findMigrations(client: pg.ClientBase): Promise<string[] | null> {
  const { rows: found } = await client.query(`SELECT to_regclass('public._prisma_migrations') IS NOT NULL AS is_there`)
  if (!found[0]?.is_there) return null
  const { rows } = await client.query<{ name: string }>(
    'SELECT migration_name AS name FROM public._prisma_migrations WHERE finished_at IS NOT NULL ORDER BY 1',
  )
  return rows.map(({ name }) => name)
}

/** Drops the tables, functions and types of the schema `public`, and the queue. Keeps extensions. */
export async function dropAll(client: pg.ClientBase, queueSchema: string): Promise<void> {
  const lists = [
    `SELECT 'TABLE ' || o.oid::regclass AS what FROM pg_class o WHERE o.relnamespace = 'public'::regnamespace AND o.relkind IN ('r', 'p') AND ${NOT_OF_EXTENSION('pg_class')}`,
    `SELECT 'FUNCTION ' || o.oid::regprocedure AS what FROM pg_proc o WHERE o.pronamespace = 'public'::regnamespace AND ${NOT_OF_EXTENSION('pg_proc')}`,
    `SELECT 'TYPE ' || o.oid::regtype AS what FROM pg_type o WHERE o.typnamespace = 'public'::regnamespace AND o.typtype IN ('e', 'd') AND ${NOT_OF_EXTENSION('pg_type')}`,
  ]
  await client.query(`DROP SCHEMA IF EXISTS ${queueSchema} CASCADE`)
  for (const list of lists) {
    const { rows } = await client.query<{ what: string }>(list)
    for (const { what } of rows) await client.query(`DROP ${what} CASCADE`)
  }
}
