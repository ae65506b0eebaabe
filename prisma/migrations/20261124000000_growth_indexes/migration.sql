-- Without an index, the deletion of a referenced row scans the referencing table, and reading a
-- follow-up's messages scans all messages.
CREATE INDEX "job_messages_run_id_idx" ON "job_messages" ("run_id");
CREATE INDEX "api_keys_rotated_from_id_idx" ON "api_keys" ("rotated_from_id");

-- Counts under the quota lock and in project lists.
CREATE INDEX "jobs_active" ON "jobs" ("project_id") WHERE "status" = 'active';
CREATE INDEX "jobs_open_pull_requests" ON "jobs" ("project_id") WHERE "pr_state" = 'open';

-- Job lists with a filter.
CREATE INDEX "jobs_by_status" ON "jobs" ("project_id", "status", "created_at" DESC, "id" DESC);
CREATE INDEX "jobs_by_outcome" ON "jobs" ("project_id", "outcome", "created_at" DESC, "id" DESC);

-- The operations page reads the jobs of the last day.
CREATE INDEX "jobs_by_finish" ON "jobs" ("finished_at") WHERE "finished_at" IS NOT NULL;

-- The deletion of old sign-in attempts.
CREATE INDEX "sign_in_tries_since_idx" ON "sign_in_tries" ("since");
