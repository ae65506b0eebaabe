ALTER TABLE "job_messages"
  DROP CONSTRAINT IF EXISTS "job_messages_taken_by_a_run", ADD CONSTRAINT "job_messages_taken_by_a_run" CHECK (("taken_at" IS NULL) = ("run_id" IS NULL)),
  DROP CONSTRAINT IF EXISTS "job_messages_taken_or_dropped", ADD CONSTRAINT "job_messages_taken_or_dropped" CHECK ("taken_at" IS NULL OR "dropped_at" IS NULL);
