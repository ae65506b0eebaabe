-- Follow-ups: what callers say to a job after its first prompt. Delivered to the run at work before its next turn, or made the next run.

CREATE TABLE "job_messages" (
  "id" TEXT NOT NULL,
  "job_id" TEXT NOT NULL,
  "project_id" TEXT NOT NULL,
  "prompt" TEXT NOT NULL,
  "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
  -- The run that was told, once it was.
  "run_id" TEXT,
  "taken_at" TIMESTAMPTZ(3),
  -- The job was cancelled before anybody was told.
  "dropped_at" TIMESTAMPTZ(3),
  CONSTRAINT "job_messages_pkey" PRIMARY KEY ("id"),
  CONSTRAINT "job_messages_job_id_fkey" FOREIGN KEY ("job_id") REFERENCES "jobs"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "job_messages_run_id_fkey" FOREIGN KEY ("run_id") REFERENCES "runs"("id") ON DELETE CASCADE ON UPDATE CASCADE,
  CONSTRAINT "job_messages_taken_by_a_run" CHECK (("taken_at" IS NULL) = ("run_id" IS NULL)),
  CONSTRAINT "job_messages_taken_or_dropped" CHECK ("taken_at" IS NULL OR "dropped_at" IS NULL)
);

CREATE INDEX "job_messages_job_id_created_at_idx" ON "job_messages"("job_id", "created_at");
-- What the quota counts.
CREATE INDEX "job_messages_project_id_created_at_idx" ON "job_messages"("project_id", "created_at");

ALTER TABLE "runs"
  -- What the job had used before this run: its own usage is counted on top.
  ADD COLUMN "usage_before" JSONB NOT NULL DEFAULT '{}',
  -- Times the work was begun anew because people had put commits on the branch meanwhile.
  ADD COLUMN "restarts" INTEGER NOT NULL DEFAULT 0;
