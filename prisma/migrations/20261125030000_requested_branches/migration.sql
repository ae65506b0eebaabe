-- Finds the jobs of a project that were created with a given branch name.
CREATE INDEX "jobs_by_requested_branch" ON "jobs" ("project_id", ("options" ->> 'branch'))
  WHERE "options" ->> 'branch' IS NOT NULL;
