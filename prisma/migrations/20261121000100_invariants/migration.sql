-- What must hold for every row, whatever code (or person) writes it. The rules are those of the job states in README.md.

ALTER TABLE "instance" ADD CONSTRAINT "instance_is_one_row" CHECK ("id" = 1);

ALTER TABLE "projects"
  ADD CONSTRAINT "projects_repository_is_url" CHECK ("repository_url" ~ '^https?://[^/@[:space:]]+/[^/[:space:]]+/[^/[:space:]]+$'),
  ADD CONSTRAINT "projects_name_not_blank" CHECK (btrim("name") <> '');

ALTER TABLE "api_keys"
  ADD CONSTRAINT "api_keys_id_is_base62" CHECK ("id" ~ '^[0-9A-Za-z]{12}$'),
  ADD CONSTRAINT "api_keys_hash_is_sha256" CHECK (octet_length("secret_hash") = 32),
  ADD CONSTRAINT "api_keys_scopes_are_known" CHECK (
    cardinality("scopes") > 0 AND "scopes" <@ ARRAY['jobs:read', 'jobs:write', 'project:deploy']::text[]
  );

ALTER TABLE "jobs"
  ADD CONSTRAINT "jobs_link_null_while_active" CHECK ("status" <> 'active' OR "pr_link" IS NULL),
  ADD CONSTRAINT "jobs_link_needs_a_change" CHECK ("pr_link" IS NULL OR "head_commit" IS NOT NULL),
  ADD CONSTRAINT "jobs_link_is_its_pull_request" CHECK ("pr_link" IS NULL OR "pr_link" IS NOT DISTINCT FROM "pr_url"),
  ADD CONSTRAINT "jobs_pull_request_is_whole" CHECK (num_nonnulls("pr_number", "pr_url", "pr_branch", "pr_state", "pr_draft") IN (0, 5)),
  ADD CONSTRAINT "jobs_archived_has_time" CHECK (("archived_at" IS NOT NULL) = ("status" = 'archived')),
  ADD CONSTRAINT "jobs_active_has_phase" CHECK (("phase" IS NOT NULL) = ("status" = 'active')),
  ADD CONSTRAINT "jobs_ended_has_outcome" CHECK (("outcome" IS NULL) = ("status" = 'active')),
  ADD CONSTRAINT "jobs_ended_has_time" CHECK (("finished_at" IS NULL) = ("status" = 'active')),
  ADD CONSTRAINT "jobs_outcome_fits_status" CHECK (
    CASE "status"
      WHEN 'completed' THEN "outcome" IN ('changed', 'no_changes', 'needs_input')
      WHEN 'failed' THEN "outcome" IN ('cancelled', 'failed')
      ELSE true
    END
  ),
  ADD CONSTRAINT "jobs_failure_has_code" CHECK (
    (coalesce("outcome" IN ('cancelled', 'failed'), false)) = ("failure_code" IS NOT NULL)
    AND ("failure_code" IS NULL) = ("failure_message" IS NULL)
  ),
  ADD CONSTRAINT "jobs_changed_has_link" CHECK ("status" <> 'completed' OR "outcome" <> 'changed' OR "pr_link" IS NOT NULL),
  ADD CONSTRAINT "jobs_counters_not_negative" CHECK (
    least("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "turns", "last_event_seq") >= 0
  );

ALTER TABLE "runs"
  ADD CONSTRAINT "runs_ended_has_time" CHECK (("ended_at" IS NULL) = "active"),
  ADD CONSTRAINT "runs_lease_only_while_active" CHECK ("active" OR "lease_until" IS NULL),
  ADD CONSTRAINT "runs_handovers_within_attempts" CHECK ("attempt" >= "handovers" AND "handovers" >= 0);

-- One prompt at a time per job.
CREATE UNIQUE INDEX "runs_one_active_per_job" ON "runs" ("job_id") WHERE "active";
-- What the sweeper reads every few seconds.
CREATE INDEX "runs_due" ON "runs" ("next_run_at") WHERE "active";

CREATE FUNCTION "guard_job"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  -- What may still change on a job that has ended: the life of its pull request, and bookkeeping.
  afterwards text[] := ARRAY['pr_state', 'pr_draft', 'updated_at', 'last_event_seq', 'retry_of'];
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
  IF (to_jsonb(NEW) - afterwards) IS DISTINCT FROM (to_jsonb(OLD) - afterwards) THEN
    RAISE EXCEPTION 'job % has ended as %: this change is not allowed', OLD."id", OLD."status" USING ERRCODE = 'check_violation';
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER "guard_job" BEFORE INSERT OR UPDATE ON "jobs" FOR EACH ROW EXECUTE FUNCTION "guard_job"();

CREATE FUNCTION "guard_run"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW."id", NEW."job_id", NEW."project_id", NEW."prompt", NEW."created_at")
     IS DISTINCT FROM (OLD."id", OLD."job_id", OLD."project_id", OLD."prompt", OLD."created_at") THEN
    RAISE EXCEPTION 'run % keeps its job and prompt', OLD."id" USING ERRCODE = 'check_violation';
  END IF;
  IF NOT OLD."active" AND NEW IS DISTINCT FROM OLD THEN
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

CREATE TRIGGER "guard_run" BEFORE UPDATE ON "runs" FOR EACH ROW EXECUTE FUNCTION "guard_run"();

-- Live readers are woken here and read the rows themselves.
CREATE FUNCTION "notify_job_event"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('corrigenda_job_events', NEW."job_id" || ' ' || NEW."seq");
  RETURN NULL;
END $$;

CREATE TRIGGER "notify_job_event" AFTER INSERT ON "job_events" FOR EACH ROW EXECUTE FUNCTION "notify_job_event"();
