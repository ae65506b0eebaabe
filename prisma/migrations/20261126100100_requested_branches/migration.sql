-- Finds the jobs of a project that were created with a given branch name.
DROP INDEX CONCURRENTLY IF EXISTS "jobs_by_requested_branch";
CREATE INDEX CONCURRENTLY "jobs_by_requested_branch" ON "jobs" ("project_id", ("options" ->> 'branch'))
  WHERE "options" ->> 'branch' IS NOT NULL;
