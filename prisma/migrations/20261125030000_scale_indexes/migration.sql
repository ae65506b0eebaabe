-- Searches for a part of a text in the jobs of a project. Without the extensions, for example because
-- the role may not create them, searches read the jobs one after the other.
DO $$ BEGIN
  CREATE EXTENSION IF NOT EXISTS "pg_trgm";
  CREATE EXTENSION IF NOT EXISTS "btree_gin";
  CREATE INDEX "runs_by_text" ON "runs" USING gin ("project_id", "prompt" gin_trgm_ops);
  CREATE INDEX "jobs_by_text" ON "jobs" USING gin ("project_id", "title" gin_trgm_ops, "summary" gin_trgm_ops);
EXCEPTION WHEN insufficient_privilege OR feature_not_supported OR undefined_file THEN
  RAISE NOTICE 'no search index: %', SQLERRM;
END $$;
