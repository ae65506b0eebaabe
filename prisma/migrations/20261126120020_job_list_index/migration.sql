-- Lists, filters and counts the jobs of a project without reading the jobs. It replaces the index of
-- the list. The additional columns are immutable or change together with columns of other indexes.
DROP INDEX CONCURRENTLY IF EXISTS "jobs_list";
CREATE INDEX CONCURRENTLY "jobs_list" ON "jobs" ("project_id", "created_at" DESC, "id" DESC)
  INCLUDE ("status", "outcome", "failure_code", "model", "created_by", "pr_state");
DROP INDEX CONCURRENTLY IF EXISTS "jobs_project_id_created_at_id_idx";
