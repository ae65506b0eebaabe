-- New jobs and runs are not added to indexes that are needed only after the run has ended. Active runs
-- are updated often, and each update would add their prompt to the search index again.
DROP INDEX CONCURRENTLY IF EXISTS "runs_by_text";
-- With extensions: pg_trgm, btree_gin
CREATE INDEX CONCURRENTLY "runs_by_text" ON "runs" USING gin ("project_id", "prompt" gin_trgm_ops) WHERE NOT "active";
DROP INDEX CONCURRENTLY IF EXISTS "jobs_by_text";
-- With extensions: pg_trgm, btree_gin
CREATE INDEX CONCURRENTLY "jobs_by_text" ON "jobs" USING gin ("project_id", "title" gin_trgm_ops, "summary" gin_trgm_ops)
  WHERE "title" IS NOT NULL OR "summary" IS NOT NULL;
DROP INDEX CONCURRENTLY IF EXISTS "jobs_by_outcome";
CREATE INDEX CONCURRENTLY "jobs_by_outcome" ON "jobs" ("project_id", "outcome", "created_at" DESC, "id" DESC)
  WHERE "outcome" IS NOT NULL;
