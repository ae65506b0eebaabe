-- Counts the jobs of a project that wait for an answer.
DROP INDEX CONCURRENTLY IF EXISTS "jobs_needing_input";
CREATE INDEX CONCURRENTLY "jobs_needing_input" ON "jobs" ("project_id")
  WHERE "status" = 'completed' AND "outcome" = 'needs_input';
