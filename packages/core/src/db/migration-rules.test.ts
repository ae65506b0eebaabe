import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { listMigrations, SCHEMA } from './migrate-database.ts'

/** First line of a migration that removes what the version before the previous one used. */
const CONTRACT = /^-- Contract: .{20,}/
/** A line that explains why the next statement is safe although it breaks a rule. */
const SAFE = /^-- Safe: .{20,}\n[^;]*;/gm

const RULES: readonly (readonly [RegExp, string])[] = [
  [/\bDROP\s+(?:TABLE|COLUMN|TYPE|FUNCTION|CONSTRAINT)\b/i, 'removes what the previous version may use'],
  [/\bRENAME\s+(?:TO|COLUMN|CONSTRAINT|VALUE)\b/i, 'renames what the previous version uses'],
  [/\bALTER\s+COLUMN\s+\S+\s+(?:SET\s+DATA\s+)?TYPE\b/i, 'rewrites the table while requests wait'],
  [/\bALTER\s+COLUMN\s+\S+\s+SET\s+NOT\s+NULL\b/i, 'rejects rows of the previous version'],
  [
    /\bADD\s+COLUMN\s+(?:(?!DEFAULT|,|;)[\s\S])*\bNOT\s+NULL\b(?!(?:(?!,|;)[\s\S])*\bDEFAULT\b)/i,
    'rejects rows of the previous version',
  ],
  [/\bTRUNCATE\b|\bLOCK\s+TABLE\b/i, 'stops all requests that use the table'],
]

/** Returns why services of the previous version could fail during or after a migration. */
function findProblems(sql: string): string[] {
  if (CONTRACT.test(sql)) return []
  const text = sql.replace(SAFE, '').replace(/--.*$/gm, '')
  const created = [...text.matchAll(/CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?"?(\w+)"?/gi)].map(([, name]) => name)
  const isOld = (name: string | undefined) => !created.includes(name)
  const indexes = [...text.matchAll(/CREATE\s+(?:UNIQUE\s+)?INDEX\s+(CONCURRENTLY\s+)?[\s\S]*?\bON\s+"?(\w+)"?/gi)]
  const constraints = [...text.matchAll(/ALTER\s+TABLE\s+"?(\w+)"?\s+ADD\s+CONSTRAINT\b[^;]*;/gi)]
  return [
    ...RULES.filter(([rule]) => rule.test(text)).map(([, problem]) => problem),
    ...indexes
      .filter(([, online, table]) => !online && isOld(table))
      .map(([, , table]) => `locks ${table} for an index`),
    ...constraints
      .filter(([statement, table]) => isOld(table) && !/NOT\s+VALID/i.test(statement))
      .map(([, table]) => `checks all rows of ${table} while requests wait; use NOT VALID`),
  ]
}

test('new migrations work while services of the previous version run', async () => {
  // The baseline is applied to empty databases only.
  const [, ...names] = await listMigrations()
  const problems = await Promise.all(
    names.map(async (name) => {
      const sql = await readFile(path.join(SCHEMA, 'migrations', name, 'migration.sql'), 'utf8')
      return findProblems(sql).map((problem) => `${name}: ${problem}`)
    }),
  )
  expect(problems.flat()).toEqual([])
})

test.each([
  'ALTER TABLE "jobs" DROP COLUMN "title";',
  'DROP TABLE jobs;',
  'ALTER TABLE jobs RENAME COLUMN title TO name;',
  'ALTER TABLE jobs ALTER COLUMN seq TYPE bigint;',
  'ALTER TABLE jobs ALTER COLUMN "seq" SET NOT NULL;',
  'ALTER TABLE jobs ADD COLUMN later int NOT NULL;',
  'ALTER TABLE jobs ADD COLUMN a int, ADD COLUMN b text NOT NULL, ADD COLUMN c int DEFAULT 1;',
  'CREATE INDEX a ON jobs (title);',
  'CREATE UNIQUE INDEX a\n  ON "jobs" (title);',
  'ALTER TABLE jobs ADD CONSTRAINT c CHECK (true);',
  'TRUNCATE workers;',
  'LOCK TABLE jobs;',
])('a migration is rejected: %s', (sql) => {
  expect(findProblems(sql)).not.toEqual([])
  expect(findProblems(`-- Contract: unused since version 1.1, see docs.\n${sql}`)).toEqual([])
  expect(findProblems(`-- Safe: the table has fewer than ten rows.\n${sql}`)).toEqual([])
})

test.each([
  'ALTER TABLE jobs ADD COLUMN later int;',
  'ALTER TABLE jobs ADD COLUMN later int NOT NULL DEFAULT 0;',
  'ALTER TABLE jobs ADD COLUMN later int DEFAULT 0 NOT NULL;',
  'CREATE TABLE fresh (id int NOT NULL); CREATE INDEX a ON fresh (id); ALTER TABLE fresh ADD CONSTRAINT c CHECK (true);',
  'DROP INDEX CONCURRENTLY IF EXISTS a; CREATE INDEX CONCURRENTLY a ON jobs (title);',
  'ALTER TABLE jobs ADD CONSTRAINT c CHECK (true) NOT VALID;',
  '-- DROP TABLE jobs;\nSELECT 1;',
])('a migration is accepted: %s', (sql) => {
  expect(findProblems(sql)).toEqual([])
})
