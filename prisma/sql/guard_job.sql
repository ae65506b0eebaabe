CREATE OR REPLACE FUNCTION "guard_job"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- Columns of the pull request and of bookkeeping can still change after the job has ended.
  afterwards text[] := ARRAY['pr_state', 'pr_draft', 'pr_checks', 'deployment', 'updated_at', 'last_event_seq', 'retry_of'];
BEGIN
  IF TG_OP = 'INSERT' THEN
    IF NEW."status" <> 'active' OR NEW."pr_url" IS NOT NULL THEN
      RAISE EXCEPTION 'a job starts active and without a pull request' USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF (NEW."id", NEW."project_id", NEW."repository_url", NEW."created_at")
     IS DISTINCT FROM (OLD."id", OLD."project_id", OLD."repository_url", OLD."created_at") THEN
    RAISE EXCEPTION 'identity, project, repository and creation time of job % never change', OLD."id" USING ERRCODE = 'check_violation';
  END IF;
  IF OLD."pr_url" IS NOT NULL AND (NEW."pr_url", NEW."pr_number", NEW."pr_branch") IS DISTINCT FROM (OLD."pr_url", OLD."pr_number", OLD."pr_branch") THEN
    RAISE EXCEPTION 'job % has its pull request already', OLD."id" USING ERRCODE = 'check_violation';
  END IF;
  IF NEW."last_event_seq" < OLD."last_event_seq" THEN
    RAISE EXCEPTION 'events of job % never go back', OLD."id" USING ERRCODE = 'check_violation';
  END IF;
  IF OLD."status" = 'active' THEN
    IF NEW."status" = 'archived' THEN
      RAISE EXCEPTION 'job % is active: end it before archiving it', OLD."id" USING ERRCODE = 'check_violation';
    END IF;
    RETURN NEW;
  END IF;
  IF OLD."status" IN ('completed', 'failed') AND NEW."status" = 'active' THEN
    RETURN NEW; -- a follow-up message
  END IF;
  IF OLD."status" IN ('completed', 'failed') AND NEW."status" = 'archived' THEN
    afterwards := afterwards || ARRAY['status', 'archived_at'];
  END IF;
  IF OLD."status" = 'archived'
     AND (NEW."status" = 'failed') = (OLD."outcome" IN ('failed', 'cancelled')) AND NEW."status" <> 'active' THEN
    afterwards := afterwards || ARRAY['status', 'archived_at'];
  END IF;
  IF (to_jsonb(NEW) - afterwards) IS DISTINCT FROM (to_jsonb(OLD) - afterwards) THEN
    RAISE EXCEPTION 'job % has ended as %: this change is not allowed', OLD."id", OLD."status" USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE OR REPLACE TRIGGER "guard_job" BEFORE UPDATE ON "jobs" FOR EACH ROW EXECUTE FUNCTION "guard_job"();

CREATE OR REPLACE TRIGGER "guard_new_job" BEFORE INSERT ON "jobs" FOR EACH ROW
  WHEN (NEW."status" <> 'active' OR NEW."pr_url" IS NOT NULL) EXECUTE FUNCTION "guard_job"();
