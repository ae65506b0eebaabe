-- Set when the retention period of a run's transcript has passed and its rows are gone.
ALTER TABLE "runs" ADD COLUMN "transcript_removed_at" TIMESTAMPTZ(3);

-- Runs whose transcripts can expire, and runs whose files can be removed.
CREATE INDEX "runs_with_transcript" ON "runs" ("ended_at")
  WHERE "ended_at" IS NOT NULL AND "transcript_removed_at" IS NULL;

-- Removed files are recorded, so that each run is visited once.
ALTER TABLE "runs" ADD COLUMN "files_removed_at" TIMESTAMPTZ(3);
CREATE INDEX "runs_with_files" ON "runs" ("ended_at") WHERE "ended_at" IS NOT NULL AND "files_removed_at" IS NULL;

-- An ended run can still lose its transcript and its files.
CREATE OR REPLACE FUNCTION "guard_run"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  afterwards CONSTANT text[] := ARRAY['transcript_removed_at', 'files_removed_at'];
BEGIN
  IF (NEW."id", NEW."job_id", NEW."project_id", NEW."prompt", NEW."created_at")
     IS DISTINCT FROM (OLD."id", OLD."job_id", OLD."project_id", OLD."prompt", OLD."created_at") THEN
    RAISE EXCEPTION 'run % keeps its job and prompt', OLD."id" USING ERRCODE = 'check_violation';
  END IF;
  IF NOT OLD."active" AND (to_jsonb(NEW) - afterwards) IS DISTINCT FROM (to_jsonb(OLD) - afterwards) THEN
    RAISE EXCEPTION 'run % has ended', OLD."id" USING ERRCODE = 'check_violation';
  END IF;
  IF NEW."attempt" < OLD."attempt" THEN
    RAISE EXCEPTION 'the attempts of run % never fall', OLD."id" USING ERRCODE = 'check_violation';
  END IF;
  IF OLD."frozen" IS NOT NULL AND NEW."frozen" IS DISTINCT FROM OLD."frozen" THEN
    RAISE EXCEPTION 'what run % publishes is frozen', OLD."id" USING ERRCODE = 'check_violation';
  END IF;
  IF OLD."base_commit" IS NOT NULL AND NEW."base_commit" IS DISTINCT FROM OLD."base_commit" THEN
    RAISE EXCEPTION 'the base commit of run % is pinned', OLD."id" USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;
