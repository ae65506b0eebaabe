-- The jobs that an event from the Git host refers to.
CREATE INDEX "jobs_by_branch" ON "jobs" ("pr_branch") WHERE "pr_number" IS NOT NULL;
CREATE INDEX "jobs_by_commit" ON "jobs" ("head_commit") WHERE "pr_number" IS NOT NULL;

-- Deliveries with a status.
CREATE INDEX "webhook_deliveries_by_status" ON "webhook_deliveries" ("endpoint_id", "status", "created_at" DESC, "id" DESC);

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
