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
  -- Written together with the base commit.
  IF OLD."base_commit" IS NOT NULL AND NEW."policy_files" IS DISTINCT FROM OLD."policy_files" THEN
    RAISE EXCEPTION 'the policy files of run % are pinned', OLD."id" USING ERRCODE = 'check_violation';
  END IF;
  IF OLD."settings" IS NOT NULL AND NEW."settings" IS DISTINCT FROM OLD."settings" THEN
    RAISE EXCEPTION 'the settings of run % are pinned', OLD."id" USING ERRCODE = 'check_violation';
  END IF;
  IF OLD."sources" IS NOT NULL AND NEW."sources" IS DISTINCT FROM OLD."sources" THEN
    RAISE EXCEPTION 'the sources of run % are pinned', OLD."id" USING ERRCODE = 'check_violation';
  END IF;
  IF OLD."opening_at" IS NOT NULL AND NEW."opening_at" IS DISTINCT FROM OLD."opening_at" THEN
    RAISE EXCEPTION 'run % has begun to open its pull request', OLD."id" USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER "guard_run" BEFORE UPDATE ON "runs" FOR EACH ROW EXECUTE FUNCTION "guard_run"();
