-- Retention periods of a project in days, which can only shorten those of the instance.
ALTER TABLE "projects"
  ADD COLUMN "retain_transcript_days" INTEGER CHECK ("retain_transcript_days" BETWEEN 1 AND 36500),
  ADD COLUMN "retain_job_days" INTEGER CHECK ("retain_job_days" BETWEEN 1 AND 36500);
CREATE INDEX "projects_with_retention" ON "projects" ("id")
  WHERE "retain_transcript_days" IS NOT NULL OR "retain_job_days" IS NOT NULL;

-- What expires in one project, oldest first.
CREATE INDEX "runs_with_transcript_of_project" ON "runs" ("project_id", "ended_at")
  WHERE "ended_at" IS NOT NULL AND "transcript_removed_at" IS NULL;
CREATE INDEX "jobs_of_project_by_finish" ON "jobs" ("project_id", "finished_at") WHERE "finished_at" IS NOT NULL;

-- Expired sign-in links.
CREATE INDEX "sign_in_links_expires_at_idx" ON "sign_in_links" ("expires_at");
