-- Less work for each created job.

-- Postgres would plan statements with arrays of different lengths again at each call, and the
-- statements of functions that this one calls, too.
ALTER FUNCTION "create_jobs"(jsonb, int, boolean) SET plan_cache_mode = force_generic_plan;

-- Called only for the rows that it rejects. Updates are checked as before.
DROP TRIGGER "guard_job" ON "jobs";
CREATE TRIGGER "guard_job" BEFORE UPDATE ON "jobs" FOR EACH ROW EXECUTE FUNCTION "guard_job"();
CREATE TRIGGER "guard_new_job" BEFORE INSERT ON "jobs" FOR EACH ROW
  WHEN (NEW."status" <> 'active' OR NEW."pr_url" IS NOT NULL) EXECUTE FUNCTION "guard_job"();

-- `insert_jobs` reads the names for all rows together.
DROP TRIGGER "note_job_creator" ON "jobs";
CREATE TRIGGER "note_job_creator" BEFORE INSERT ON "jobs" FOR EACH ROW
  WHEN (NEW."created_by" IS NOT NULL AND NEW."created_by_name" IS NULL) EXECUTE FUNCTION "note_job_creator"();

-- As before, but reads each project once.
CREATE OR REPLACE FUNCTION "guard_deleted_projects"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  deleted TEXT;
BEGIN
  -- Locks all of them. The order prevents deadlocks.
  WITH "locked" AS (
    SELECT "id", "deleted_at" FROM "projects"
    WHERE "id" = ANY (ARRAY(SELECT DISTINCT "project_id" FROM "inserted")) ORDER BY "id" FOR KEY SHARE
  )
  SELECT "id" INTO deleted FROM "locked" WHERE "deleted_at" IS NOT NULL ORDER BY "id" LIMIT 1;
  IF deleted IS NOT NULL THEN
    RAISE EXCEPTION 'project % is deleted', deleted
      USING ERRCODE = 'foreign_key_violation', TABLE = TG_TABLE_NAME, CONSTRAINT = TG_TABLE_NAME || '_project_id_fkey';
  END IF;
  RETURN NULL;
END $$;

-- As before, with the names of the creators.
CREATE OR REPLACE FUNCTION "insert_jobs"("requests" jsonb, "places" int[], "times" timestamptz[], "branches" text[])
RETURNS void LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
  WITH "new" AS MATERIALIZED (
    SELECT r.*, "place", "at",
      CASE WHEN "branch" IS NULL THEN "options" ELSE "options" || jsonb_build_object('branch', "branch") END AS "all_options"
    FROM unnest("places", "times", "branches") AS x ("place", "at", "branch"),
      jsonb_to_record("requests" -> ("place" - 1)) AS r (
        "projectId" text, "kind" run_kind, "jobId" text, "runId" text, "act" jsonb, "after" jsonb, "createdBy" text,
        "repositoryUrl" text, "prompt" text, "model" text, "baseBranch" text, "options" jsonb, "metadata" jsonb,
        "retryOf" text, "traceparent" text)
  ), "last" AS MATERIALIZED (
    SELECT "projectId", "kind", "last_quota_seq"("projectId", "kind", min("at")) AS "seq"
    FROM "new" GROUP BY "projectId", "kind"
  ), "new_jobs" AS (
    INSERT INTO "jobs" ("id", "project_id", "repository_url", "base_branch", "model", "options", "metadata", "retry_of",
      "created_by", "created_by_name", "last_event_seq", "traceparent", "created_at", "updated_at")
    SELECT "jobId", "projectId", "repositoryUrl", "baseBranch", "model", "all_options", "metadata", "retryOf",
      "createdBy", coalesce(
        (SELECT "name" FROM "api_keys" WHERE "id" = "createdBy"), (SELECT "name" FROM "users" WHERE "id" = "createdBy")),
      1, "traceparent", "at", "at" FROM "new"
  ), "new_runs" AS (
    INSERT INTO "runs" ("id", "job_id", "project_id", "seq", "kind", "prompt", "traceparent", "created_at", "next_run_at",
      "quota_seq")
    SELECT "runId", "jobId", "projectId", 1, "kind", "prompt", "traceparent", "at", "at",
      "last"."seq" + row_number() OVER (PARTITION BY "projectId", "kind" ORDER BY "at", "place")
    FROM "new" JOIN "last" USING ("projectId", "kind")
  ), "new_events" AS (
    INSERT INTO "job_events" ("job_id", "seq", "type", "data", "created_at")
    SELECT "jobId", 1, 'job.created', coalesce("after", '{}'), "at" FROM "new"
  )
  INSERT INTO "audit_events" ("id", "created_at", "action", "actor_type", "actor_id", "actor_name", "ip_address",
    "request_id", "project_id", "target_type", "target_id", "after")
  SELECT "act"->>'id', "at", "act"->>'action', "act"#>>'{actor,type}', "act"#>>'{actor,id}', "act"#>>'{actor,name}',
    "act"->>'ipAddress', "act"->>'requestId', "projectId", 'job', "jobId", "after" FROM "new";
END $$;
